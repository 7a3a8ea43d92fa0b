import { CircleCheck, CircleDashed } from 'lucide-react';
import { useEffect, useState } from 'react';
import { WaitingEntry } from '#web/components/outbox/waiting-list.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { ClockForm } from './clock-form.tsx';
import { waitingMark } from './clock-outcome.ts';
import { type DutyStatus, formatClockTime } from './duty-status.ts';
import { ForgottenClockOut } from './forgotten-clock-out.tsx';
import { useUnreadOrders } from './post-orders.ts';
import { ReadOrders } from './read-orders.tsx';
import { ShiftFacts } from './shift-facts.tsx';
import { UndoClockIn } from './undo-clock-in.tsx';
import { UndoClockOut } from './undo-clock-out.tsx';
import { type ClockControls, preloadClocking, useClock, useDutyStatus } from './use-clock.ts';

function statusLines(duty: DutyStatus, now: number): [title: string, text: string | undefined] {
  if (duty.state === 'in') {
    const { clock_in_at, timezone } = duty.shift;
    const since = clock_in_at ? formatClockTime(clock_in_at, timezone, now) : '';
    return ['You are clocked in', `Clocked in at ${since}${waitingMark(duty.shift)}`];
  }
  const { last } = duty;
  if (!last?.clock_out_at) return ['You are not clocked in', undefined];
  const since = formatClockTime(last.clock_out_at, last.timezone, now);
  return ['You are not clocked in', `Clocked out at ${since}${waitingMark(last)}`];
}

function ClockStatus({ duty, now }: { duty: DutyStatus; now: number }) {
  const isIn = duty.state === 'in';
  const Icon = isIn ? CircleCheck : CircleDashed;
  const [title, text] = statusLines(duty, now);
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

function RefusedEvents({ entries }: { entries: readonly OutboxEntry[] }) {
  if (entries.length === 0) return null;
  return (
    // Full contrast, because guards read this screen in sunlight.
    <ul className="divide-y divide-line rounded-sm border border-danger [&_.text-danger]:text-ink [&_.text-muted]:text-ink">
      {entries.map((entry) => (
        <WaitingEntry key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}

type StepProps = {
  userId: string;
  duty: DutyStatus;
  now: number;
  controls: ClockControls;
  startsWithoutLocation: boolean;
  onClose: () => void;
};

const openShiftsOf = (duty: DutyStatus) =>
  duty.state === 'out' ? duty.available.map(({ assignment_id }) => assignment_id) : [];

/** After an event, no button here clocks in or out, so that a second tap does no harm. */
function ClockStep({ userId, duty, now, controls, startsWithoutLocation, onClose }: StepProps) {
  const [hasRead, setHasRead] = useState(false);
  const unread = useUnreadOrders(userId, openShiftsOf(duty));
  if (controls.doneKind) {
    const shift = duty.state === 'in' ? duty.shift : duty.last;
    return (
      <>
        {shift && <ShiftFacts shift={shift} />}
        {controls.doneKind === 'out' && shift && (
          <UndoClockOut shift={shift} now={now} clock={controls.clock} />
        )}
        <Button autoFocus className="min-h-16 w-full text-lg" onClick={onClose}>
          Done
        </Button>
      </>
    );
  }
  if (duty.state === 'in' && duty.isForgotten) {
    return (
      <ForgottenClockOut
        key={duty.shift.assignment_id}
        shift={duty.shift}
        now={now}
        busy={controls.pendingKind !== undefined}
        onClock={(enteredAt) =>
          controls.clock({ kind: 'out', shift: duty.shift, position: undefined, enteredAt })
        }
      />
    );
  }
  const isUnread = unread.length > 0 && !hasRead && controls.pendingKind === undefined;
  return (
    <ClockForm
      duty={duty}
      now={now}
      controls={controls}
      startsWithoutLocation={startsWithoutLocation}
      orders={
        isUnread && <ReadOrders userId={userId} orders={unread} onRead={() => setHasRead(true)} />
      }
    >
      {duty.state === 'in' && <UndoClockIn shift={duty.shift} now={now} clock={controls.clock} />}
      {duty.state === 'out' && duty.last && (
        <UndoClockOut shift={duty.last} now={now} clock={controls.clock} />
      )}
    </ClockForm>
  );
}

type PanelProps = Pick<StepProps, 'userId' | 'startsWithoutLocation' | 'onClose'>;

function ClockPanel({ userId, startsWithoutLocation, onClose }: PanelProps) {
  const { query, duty, now, refused } = useDutyStatus(userId);
  const controls = useClock(userId);
  return (
    <Loaded query={query} loadingText="Loading your shift..." failure="Error">
      {(loaded) =>
        duty && (
          <div className="grid gap-5 text-ink">
            <ClockStatus duty={duty} now={now} />
            <ClockStep
              userId={userId}
              duty={duty}
              now={now}
              controls={controls}
              startsWithoutLocation={startsWithoutLocation}
              onClose={onClose}
            />
            <RefusedEvents entries={refused} />
            {loaded.isCached && (
              <p>
                No connection. Shifts last updated{' '}
                {formatDateTime(new Date(loaded.at).toISOString())}.
              </p>
            )}
          </div>
        )
      }
    </Loaded>
  );
}

type ClockDialogProps = {
  /** The guard has chosen not to wait for a location. */
  startsWithoutLocation?: boolean;
  onClose: () => void;
};

export function ClockDialog({ startsWithoutLocation = false, onClose }: ClockDialogProps) {
  const { user } = useAuth();
  useEffect(preloadClocking, []);
  if (!user) return null;
  return (
    <Dialog open onOpenChange={onClose} title="Clock In/Out">
      <ClockPanel
        userId={user.id}
        startsWithoutLocation={startsWithoutLocation}
        onClose={onClose}
      />
    </Dialog>
  );
}
