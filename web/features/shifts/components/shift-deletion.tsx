// Asks before a shift is deleted, and says who goes with it.
import { DeleteDialog } from '#web/components/records/delete-dialog.tsx';
import { useDeleteShift } from '../api/delete-shift.ts';
import { useAssignments } from '../api/list-assignments.ts';
import { useRestoreShift } from '../api/restore-shift.ts';
import type { Shift } from '../schema.ts';
import { nameOf } from './shift-columns.tsx';

/** @returns what goes with the shift */
function lossOf(shift: Shift): string {
  const guards = shift.assigned === 1 ? 'its guard' : `its ${shift.assigned} guards`;
  return shift.assigned === 0
    ? `${nameOf(shift)}. Nobody is assigned to it.`
    : `${nameOf(shift)}. The shift is removed, and ${guards} will no longer be assigned to it.`;
}

export function ShiftDeletion({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  // Cancelled ones too: they are not counted, but would be lost.
  const { data: assignments } = useAssignments(shift.id);
  const remove = useDeleteShift();
  const restore = useRestoreShift();
  return (
    <DeleteDialog
      title="Delete Shift"
      question="Are you sure you want to delete this shift?"
      consequence={lossOf(shift)}
      remove={() => remove.mutateAsync(shift.id)}
      deleted="Shift deleted successfully"
      undo={
        assignments?.length === 0
          ? { restore: restore.mutateAsync, restored: 'Shift restored' }
          : undefined
      }
      onClose={onClose}
    />
  );
}
