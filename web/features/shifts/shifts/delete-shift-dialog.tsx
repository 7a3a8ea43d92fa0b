import { DeleteDialog } from '#web/components/form/delete-dialog.tsx';
import { useAssignments } from './assignment-api.ts';
import { useDeleteShift, useRestoreShift } from './shift-api.ts';
import { shiftName } from './shift-columns.tsx';
import type { Shift } from './shift-schema.ts';

/** @param guards assigned to the shift; undefined while loading */
function consequenceOf(shift: Shift, guards: number | undefined): string {
  if (guards === 0) return `${shiftName(shift)}. No guards are assigned to it.`;
  const lost = guards === 1 ? 'its guard' : `its ${guards === undefined ? '' : `${guards} `}guards`;
  return `${shiftName(shift)}. The shift is removed, and ${lost} will no longer be assigned to it.`;
}

export function DeleteShiftDialog({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const { data: assignments } = useAssignments(shift.id);
  const guards = assignments?.filter(({ status }) => status !== 'cancelled').length;
  const remove = useDeleteShift();
  const restore = useRestoreShift();
  return (
    <DeleteDialog
      title="Delete Shift"
      question="Are you sure you want to delete this shift?"
      consequence={consequenceOf(shift, guards)}
      obstacle={
        assignments?.some(({ attendance_state }) => attendance_state !== 'none')
          ? `A guard has clocked in on ${shiftName(shift)}. A shift can only be deleted before that.`
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
