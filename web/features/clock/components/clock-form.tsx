// Clocking in or out by hand: the shift, the location, and one large button.
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { opensAt, type Standing } from '../standing.ts';
import { timeOn } from '../times.ts';
import type { useClock } from '../use-clock.ts';
import { usePosition } from '../use-position.ts';
import { LocationLine } from './location-line.tsx';
import { ShiftChoice, ShiftFacts } from './shift-facts.tsx';
import { WithoutLocation } from './without-location.tsx';

type ClockFormProps = { standing: Standing; now: number; clocking: ReturnType<typeof useClock> };

export function ClockForm({ standing, now, clocking: { clock, doing } }: ClockFormProps) {
  const [choice, setChoice] = useState<string>();
  const [located, retry] = usePosition(() =>
    showError('Location Error', 'Could not get your location. Please enable location services.'),
  );
  const busy = doing !== undefined;
  // An event that is on its way counts already; the button keeps its name until that is settled.
  const kind = doing ?? (standing.state === 'in' ? 'out' : 'in');
  const choices = standing.state === 'in' ? [standing.shift] : standing.fitting;
  const shift = choices.find(({ assignment_id }) => assignment_id === choice) ?? choices[0];
  const next = standing.state === 'out' ? standing.next : undefined;
  const position = located.state === 'found' ? located.position : undefined;

  if (!shift && !next) {
    const isDone = standing.state === 'out' && standing.last;
    return (
      <p className="text-lg">
        {isDone ? 'No further shift for today' : 'No shift assigned for today'}
      </p>
    );
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
        onClick={() => shift && void clock({ kind, shift, position })}
      >
        {kind === 'in' ? 'Clock In' : 'Clock Out'}
      </Button>
      {shift && located.state === 'failed' && (
        <WithoutLocation
          kind={kind}
          busy={busy}
          onClock={(reason) => clock({ kind, shift, position: undefined, reason })}
        />
      )}
    </>
  );
}
