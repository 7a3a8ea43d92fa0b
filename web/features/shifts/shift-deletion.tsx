import { DeleteDialog } from '#web/components/records/delete-dialog.tsx';
import { useAssignments } from './assignment-api.ts';
import { useDeleteShift, useRestoreShift } from './shift-api.ts';
import { nameOf } from './shift-columns.tsx';
import type { Shift } from './shift-schema.ts';

/** @param guards on the shift, undefined while not known @returns what is lost with the shift */
function lossOf(shift: Shift, guards: number | undefined): string {
  if (guards === 0) return `${nameOf(shift)}. Nobody is assigned to it.`;
  const lost = guards === 1 ? 'its guard' : `its ${guards === undefined ? '' : `${guards} `}guards`;
  return `${nameOf(shift)}. The shift is removed, and ${lost} will no longer be assigned to it.`;
}

export function ShiftDeletion({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const { data: assignments } = useAssignments(shift.id);
  const guards = assignments?.filter(({ status }) => status !== 'cancelled').length;
  const remove = useDeleteShift();
  const restore = useRestoreShift();
  return (
    <DeleteDialog
      title="Delete Shift"
      question="Are you sure you want to delete this shift?"
      consequence={lossOf(shift, guards)}
      obstacle={
        assignments?.some(({ attendance_state }) => attendance_state !== 'none')
          ? `Somebody has clocked in on ${nameOf(shift)}. A shift can only be deleted before that.`
          : undefined
      }
      remove={() => remove.mutateAsync(shift.id)}
      deleted="Shift deleted successfully"
      undo={{
        restore: restore.mutateAsync,
        restored: 'Shift restored',
        missing: (reasons) =>
          reasons.length > 0 ? `Not assigned again: ${reasons.join(' ')}` : undefined,
      }}
      onClose={onClose}
    />
  );
}
