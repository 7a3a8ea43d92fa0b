// What those who oversee may do about somebody else's attendance: resolve, correct, mark as no-show.

import { useSave } from '#web/components/form/use-save.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { useMarkNoShow } from '../api/mark-no-show.ts';
import type { AttendanceRow } from '../schema.ts';
import { ResolveForm } from './resolve-form.tsx';

type OversightProps = { row: AttendanceRow; onCorrect: () => void; onClose: () => void };

export function Oversight({ row, onCorrect, onClose }: OversightProps) {
  const { user, isAdmin, isOpsManager, isSupervisor } = useAuth();
  const mark = useMarkNoShow();
  const { save, busy } = useSave({ success: 'Attendance updated' });
  const { assignment_id, attendance_id, attendance_state, status, states, user_id } = row;
  if (!(isAdmin || isOpsManager || isSupervisor)) return null;
  if (user_id === user?.id) {
    return (
      <Alert title="This is your own attendance">
        Somebody else corrects it and resolves its exceptions.
      </Alert>
    );
  }
  const isAbsent = attendance_state === 'none' && states.includes('issues');
  const next = status === 'no_show' ? 'assigned' : 'no_show';
  return (
    <div className="grid gap-5">
      {row.needs_review && attendance_id && <ResolveForm id={attendance_id} onClose={onClose} />}
      <div className="flex flex-wrap gap-3 border-t border-line pt-5">
        {status !== 'cancelled' && (
          <Button variant="secondary" onClick={onCorrect}>
            {attendance_id ? 'Correct Times' : 'Add Clock-in'}
          </Button>
        )}
        {isAbsent && (
          <Button
            variant="secondary"
            busy={busy}
            onClick={() =>
              save(() => mark.mutateAsync({ assignmentId: assignment_id, status: next }))
            }
          >
            {next === 'no_show' ? 'Mark as No-show' : 'Take Back No-show'}
          </Button>
        )}
      </div>
    </div>
  );
}
