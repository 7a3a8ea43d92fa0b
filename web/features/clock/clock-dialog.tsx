import { CircleCheck, CircleDashed } from 'lucide-react';
import { useEffect } from 'react';
import { WaitingEntry } from '#web/components/outbox/waiting-entry.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { ClockForm } from './clock-form.tsx';
import { type Standing, timeOn } from './duty-status.ts';
import { ForgottenClockOut } from './forgotten-clock-out.tsx';
import { ShiftFacts } from './shift-facts.tsx';
import { UndoClockOut } from './undo-clock-out.tsx';
import { useClock, useStanding } from './use-clock.ts';

const WAITS = ' — waiting to send';

function wordsFor(standing: Standing, now: number): [title: string, text: string | undefined] {
  if (standing.state === 'in') {
    const { clock_in_at, timezone, waiting } = standing.shift;
    const since = clock_in_at ? timeOn(clock_in_at, timezone, now) : '';
    return ['You are clocked in', `Clocked in at ${since}${waiting ? WAITS : ''}`];
  }
  const { last } = standing;
  if (!last?.clock_out_at) return ['You are not clocked in', undefined];
  const since = timeOn(last.clock_out_at, last.timezone, now);
  return ['You are not clocked in', `Clocked out at ${since}${last.waiting ? WAITS : ''}`];
}

export function ClockStatus({ standing, now }: { standing: Standing; now: number }) {
  const isIn = standing.state === 'in';
  const Icon = isIn ? CircleCheck : CircleDashed;
  const [title, text] = wordsFor(standing, now);
  return (
    <div
      role="status"
      className={cn(
        'flex items-start gap-3 rounded-sm border-l-4 bg-sunken px-4 py-3',
        isIn ? 'border-success' : 'border-line-strong',
      )}
    >
      <Icon
        aria-hidden="true"
        className={cn('mt-0.5 size-7 shrink-0', isIn ? 'text-success' : 'text-ink')}
      />
      <div className="min-w-0">
        <p className="font-display text-xl leading-snug">{title}</p>
        {text && <p className="text-lg font-semibold text-balance tabular-nums">{text}</p>}
      </div>
    </div>
  );
}

export function RefusedEvents({ entries }: { entries: readonly OutboxEntry[] }) {
  if (entries.length === 0) return null;
  return (
    // Read in sunlight: full ink, like all of this screen.
    <ul className="divide-y divide-line rounded-sm border border-danger [&_.text-danger]:text-ink [&_.text-muted]:text-ink">
      {entries.map((entry) => (
        <WaitingEntry key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}

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
    Promise.all([import('#web/components/ui/toaster.tsx'), import('./send-clock-event.ts')]).catch(
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
