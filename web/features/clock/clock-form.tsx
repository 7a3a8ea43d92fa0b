import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { formatMinutes } from '#web/lib/format/dates.ts';
import {
  minutesLeft,
  NO_FURTHER_SHIFT,
  NO_SHIFT,
  opensAt,
  type Standing,
  timeOn,
} from './duty-status.ts';
import { LocationLine, usePosition, WithoutLocation } from './location.tsx';
import type { Clocking } from './record-clock-event.ts';
import { ShiftChoice, ShiftFacts } from './shift-facts.tsx';
import type { useClock } from './use-clock.ts';

type ClockFormProps = { standing: Standing; now: number; clocking: ReturnType<typeof useClock> };

export function ClockForm({ standing, now, clocking: { clock, doing } }: ClockFormProps) {
  const [choice, setChoice] = useState<string>();
  const [early, setEarly] = useState<{ clocking: Omit<Clocking, 'userId'>; left: number }>();
  const [located, retry] = usePosition(() =>
    showError('Location Error', 'Could not get your location. Please enable location services.'),
  );
  const busy = doing !== undefined;
  // An event in flight already counts in `standing`; the button keeps its name until the outcome is known.
  const isOut = doing ? doing === 'out' : standing.state === 'in';
  const kind = isOut ? 'out' : 'in';
  const choices = standing.state === 'in' ? [standing.shift] : standing.fitting;
  const shift = choices.find(({ assignment_id }) => assignment_id === choice) ?? choices[0];
  const next = standing.state === 'out' ? standing.next : undefined;
  const position = located.state === 'found' ? located.position : undefined;

  /** Asks first where that is early. */
  async function press(clocking: Omit<Clocking, 'userId'>): Promise<boolean> {
    const left = clocking.kind === 'out' ? minutesLeft(clocking.shift, now) : undefined;
    if (left === undefined) return clock(clocking);
    setEarly({ clocking, left });
    return false;
  }

  if (!shift && !next) {
    const isDone = standing.state === 'out' && standing.last;
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
            Clock-in opens at {timeOn(new Date(opensAt(next)).toISOString(), next.timezone, now)}
          </p>
        </div>
      )}
      <LocationLine located={located} onRetry={retry} />
      <Button
        busy={busy}
        disabled={!shift || !position}
        // Also what can't be pressed yet is read in sunlight.
        className="min-h-16 w-full text-lg disabled:border-dashed disabled:border-line-strong disabled:bg-sunken disabled:text-ink disabled:opacity-100"
        onClick={() => shift && void press({ kind, shift, position })}
      >
        {kind === 'in' ? 'Clock In' : 'Clock Out'}
      </Button>
      {shift && located.state === 'failed' && (
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
          onConfirm={() => clock(early.clocking)}
          onClose={() => setEarly(undefined)}
        >
          Your shift at {early.clocking.shift.site_name} ends at{' '}
          {timeOn(early.clocking.shift.end_time, early.clocking.shift.timezone, now)}. Your
          supervisor will see that you left early.
        </ConfirmDialog>
      )}
    </>
  );
}
