// Clock In/Out: whether the guard is clocked in, the shift, and the button. Works without a network.
import { useEffect } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { ClockForm } from './components/clock-form.tsx';
import { ClockStatus } from './components/clock-status.tsx';
import { ForgottenClockOut } from './components/forgotten-clock-out.tsx';
import { RefusedEvents } from './components/refused-events.tsx';
import { ShiftFacts } from './components/shift-facts.tsx';
import { UndoClockOut } from './components/undo-clock-out.tsx';
import type { Standing } from './standing.ts';
import { useClock } from './use-clock.ts';
import { useStanding } from './use-standing.ts';

type StepProps = {
  standing: Standing;
  now: number;
  clocking: ReturnType<typeof useClock>;
  onClose: () => void;
};

/** After an event there is nothing here that a second tap could clock in or out. */
function ClockStep({ standing, now, clocking, onClose }: StepProps) {
  if (clocking.done) {
    const shift = standing.state === 'in' ? standing.shift : standing.last;
    return (
      <>
        {shift && <ShiftFacts shift={shift} />}
        {clocking.done === 'out' && shift && (
          <UndoClockOut shift={shift} now={now} clock={clocking.clock} />
        )}
        <Button autoFocus className="min-h-16 w-full text-lg" onClick={onClose}>
          Done
        </Button>
      </>
    );
  }
  if (standing.state === 'in' && standing.isForgotten) {
    return (
      <ForgottenClockOut
        key={standing.shift.assignment_id}
        shift={standing.shift}
        now={now}
        busy={clocking.doing !== undefined}
        onClock={(enteredAt) =>
          clocking.clock({ kind: 'out', shift: standing.shift, position: undefined, enteredAt })
        }
      />
    );
  }
  return (
    <>
      <ClockForm standing={standing} now={now} clocking={clocking} />
      {standing.state === 'out' && standing.last && (
        <UndoClockOut shift={standing.last} now={now} clock={clocking.clock} />
      )}
    </>
  );
}

function ClockPanel({ userId, onClose }: { userId: string; onClose: () => void }) {
  const { query, standing, now, refused } = useStanding(userId);
  const clocking = useClock(userId);
  return (
    <Loaded query={query} loadingText="Loading your shift..." failure="Error">
      {(seen) =>
        standing && (
          <div className="grid gap-5 text-ink">
            <ClockStatus standing={standing} now={now} />
            <ClockStep standing={standing} now={now} clocking={clocking} onClose={onClose} />
            <RefusedEvents entries={refused} />
            {seen.isOld && (
              <p>
                No connection. Shifts as last seen {formatDateTime(new Date(seen.at).toISOString())}
                .
              </p>
            )}
          </div>
        )
      }
    </Loaded>
  );
}

export function ClockDialog({ onClose }: { onClose: () => void }) {
  const { user } = useAuth();
  // Loads the sender and the toaster while there is still a signal.
  useEffect(() => {
    Promise.all([import('#web/components/ui/toaster.tsx'), import('./send-and-note.ts')]).catch(
      console.warn,
    );
  }, []);
  if (!user) return null;
  return (
    <Dialog open onOpenChange={onClose} title="Clock In/Out">
      <ClockPanel userId={user.id} onClose={onClose} />
    </Dialog>
  );
}
