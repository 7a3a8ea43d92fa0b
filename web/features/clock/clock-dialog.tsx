// Clock In/Out: whether one is clocked in, the shift, and the button. Works without a network.
import { useEffect } from 'react';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { ClockForm } from './components/clock-form.tsx';
import { ClockStatus } from './components/clock-status.tsx';
import { ForgottenClockOut } from './components/forgotten-clock-out.tsx';
import { RefusedEvents } from './components/refused-events.tsx';
import { useClock } from './use-clock.ts';
import { useStanding } from './use-standing.ts';

function ClockPanel({ userId }: { userId: string }) {
  const { query, standing, now, refused } = useStanding(userId);
  const clocking = useClock(userId);
  return (
    <Loaded query={query} loadingText="Loading your shift...">
      {(seen) =>
        standing && (
          <div className="grid gap-5 text-ink">
            <ClockStatus standing={standing} now={now} />
            {standing.state === 'in' && standing.isForgotten ? (
              <ForgottenClockOut
                key={standing.shift.assignment_id}
                shift={standing.shift}
                now={now}
                busy={clocking.doing !== undefined}
                onClock={(enteredAt) =>
                  clocking.clock({
                    kind: 'out',
                    shift: standing.shift,
                    position: undefined,
                    enteredAt,
                  })
                }
              />
            ) : (
              <ClockForm standing={standing} now={now} clocking={clocking} />
            )}
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
  // What sends, and what says "Clocked In", is here before the signal is gone.
  useEffect(() => {
    Promise.all([import('#web/components/ui/toaster.tsx'), import('./send-and-note.ts')]).catch(
      console.warn,
    );
  }, []);
  if (!user) return null;
  return (
    <Dialog open onOpenChange={onClose} title="Clock In/Out">
      <ClockPanel userId={user.id} />
    </Dialog>
  );
}
