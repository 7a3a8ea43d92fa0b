import { formatCount } from '#shared/count.ts';
import { DeleteDialog } from '#web/components/form/delete-dialog.tsx';
import { staff, usePayrollCount } from './api.ts';
import type { Staff } from './schema.ts';

function obstacleOf(name: string, records: number): string | undefined {
  if (records === 0) return undefined;
  const counted = records === 1 ? '1 payroll record' : `${formatCount(records)} payroll records`;
  return `${name} has ${counted}, so the staff record can't be deleted. Set the status to inactive instead.`;
}

export function StaffDeletion({ person, onClose }: { person: Staff; onClose: () => void }) {
  const { data: records = 0 } = usePayrollCount(person.id);
  const remove = staff.useDelete();
  const restore = staff.useRestore();
  return (
    <DeleteDialog
      title="Delete Staff Member"
      question="Are you sure you want to delete this staff member?"
      consequence={`The record of ${person.full_name} will be deleted. Their user account is kept.`}
      obstacle={obstacleOf(person.full_name, records)}
      failure="Failed to delete staff member"
      remove={() => remove.mutateAsync(person.id)}
      deleted="Staff member deleted successfully"
      undo={{ restore: restore.mutateAsync, restored: 'Staff member restored' }}
      onClose={onClose}
    />
  );
}
