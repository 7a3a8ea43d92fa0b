import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { formatMinutes } from '#web/lib/format/dates.ts';
import { usePosition } from '#web/lib/position/use-position.ts';
import {
  type DutyStatus,
  earlyMinutes,
  formatClockTime,
  NO_FURTHER_SHIFT,
  NO_SHIFT,
  opensAt,
} from './duty-status.ts';
import { LocationLine } from './location.tsx';
import type { ClockAction } from './record-clock-event.ts';
import { ShiftChoice, ShiftFacts } from './shift-facts.tsx';
import type { ClockControls } from './use-clock.ts';
import { WithoutLocation } from './without-location.tsx';

type ClockFormProps = { duty: DutyStatus; now: number; controls: ClockControls };

export function ClockForm({ duty, now, controls: { clock, pendingKind } }: ClockFormProps) {
  const [choice, setChoice] = useState<string>();
  const [early, setEarly] = useState<{ action: Omit<ClockAction, 'userId'>; left: number }>();
  const [location, retry] = usePosition({
    mayAsk: true,
    onFailure: () =>
      showError('Location Error', 'Could not get your location. Please enable location services.'),
  });
  const busy = pendingKind !== undefined;
  // `duty` already includes an event in flight; the button keeps its label until the outcome is known.
  const isOut = pendingKind ? pendingKind === 'out' : duty.state === 'in';
  const kind = isOut ? 'out' : 'in';
  const choices = duty.state === 'in' ? [duty.shift] : duty.available;
  const shift = choices.find(({ assignment_id }) => assignment_id === choice) ?? choices[0];
  const next = duty.state === 'out' ? duty.next : undefined;
  const position = location.state === 'found' ? location.position : undefined;

  /** Asks for confirmation before leaving early. */
  async function press(action: Omit<ClockAction, 'userId'>): Promise<void> {
    const left = action.kind === 'out' ? earlyMinutes(action.shift, now) : undefined;
    if (left === undefined) return clock(action);
    setEarly({ action, left });
  }

  if (!shift && !next) {
    const isDone = duty.state === 'out' && duty.last;
    return <p className="text-lg">{isDone ? NO_FURTHER_SHIFT : NO_SHIFT}</p>;
  }
  return (
    <>
      {shift && choices.length > 1 && (
        <ShiftChoice
          shifts={choices}
          chosen={shift}
          onChoose={({ assignment_id }) => setChoice(assignment_id)}
        />
      )}
      {shift && choices.length === 1 && <ShiftFacts shift={shift} />}
      {!shift && next && (
        <div>
          <ShiftFacts shift={next} />
          <p className="mt-2 font-semibold">
            Clock-in opens at{' '}
            {formatClockTime(new Date(opensAt(next)).toISOString(), next.timezone, now)}
          </p>
        </div>
      )}
      <LocationLine shift={shift} location={location} onRetry={retry} />
      <Button
        busy={busy}
        disabled={!shift || !position}
        // Disabled, but still readable in sunlight.
        className="min-h-16 w-full text-lg disabled:border-dashed disabled:border-line-strong disabled:bg-sunken disabled:text-ink disabled:opacity-100"
        onClick={() => shift && void press({ kind, shift, position })}
      >
        {kind === 'in' ? 'Clock In' : 'Clock Out'}
      </Button>
      {shift && location.state === 'failed' && (
        <WithoutLocation
          kind={kind}
          busy={busy}
          onClock={(reason) => press({ kind, shift, position: undefined, reason })}
        />
      )}
      {early && (
        <ConfirmDialog
          title={`${formatMinutes(early.left)} left. Clock out now?`}
          confirmLabel="Clock Out"
          cancelLabel="Stay Clocked In"
          onConfirm={() => clock(early.action)}
          onClose={() => setEarly(undefined)}
        >
          Your shift at {early.action.shift.site_name} ends at{' '}
          {formatClockTime(early.action.shift.end_time, early.action.shift.timezone, now)}. Your
          supervisor will see that you left early.
        </ConfirmDialog>
      )}
    </>
  );
}
