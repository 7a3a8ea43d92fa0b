import { type ReactNode, useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { Button } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { awaitAttempt } from '#web/lib/position/attempt.ts';
import { isFresh, type Position } from '#web/lib/position/locate.ts';
import { usePosition } from '#web/lib/position/use-position.ts';
import type { ClockShift } from './clock-event.ts';
import {
  type DutyStatus,
  earlyMinutes,
  formatClockTime,
  minutesToStart,
  NO_FURTHER_SHIFT,
  NO_SHIFT,
  opensAt,
} from './duty-status.ts';
import { EarlyClockIn, EarlyClockOut } from './early-questions.tsx';
import { LocationLine } from './location.tsx';
import type { ClockAction } from './record-clock-event.ts';
import { ShiftChoice, ShiftFacts } from './shift-facts.tsx';
import type { ClockControls } from './use-clock.ts';
import { WithoutLocation } from './without-location.tsx';

type Action = Omit<ClockAction, 'userId'>;
type Question = { action: Action; minutes: number };

/** Clocking in long before the start and out long before the end is asked about. */
function questionOf(action: Action, now: number): Question | undefined {
  const { kind, shift } = action;
  const minutes = kind === 'in' ? minutesToStart(shift, now) : earlyMinutes(shift, now);
  return minutes === undefined ? undefined : { action, minutes };
}

/** Both reasons, of leaving and of having no location, are one text. */
const joinReasons = (location: string | undefined, early: string): string =>
  (location ? `${location}. Left early: ${early}` : early).slice(0, limits.CLOCK_EVENTS_REASON_MAX);

type ClockFormProps = {
  duty: DutyStatus;
  now: number;
  controls: ClockControls;
  /** The guard has already chosen not to wait for a location. */
  startsWithoutLocation: boolean;
  /** Unread post orders, which the guard confirms before the button appears. */
  orders: ReactNode;
  /** Below the button. */
  children: ReactNode;
};

export function ClockForm(props: ClockFormProps) {
  const { duty, now, controls, startsWithoutLocation, orders, children } = props;
  const { clock, pendingKind } = controls;
  const [choice, setChoice] = useState<string>();
  const [question, setQuestion] = useState<Question>();
  const [isLocating, setLocating] = useState(false);
  const [isWithoutLocation, setWithoutLocation] = useState(startsWithoutLocation);
  const [location, retry] = usePosition({
    mayAsk: true,
    onFailure: () =>
      showError('Location Error', 'Could not get your location. Please enable location services.'),
  });
  const busy = pendingKind !== undefined || isLocating;
  // `duty` already includes an event in flight; the button keeps its label until the outcome is known.
  const isOut = pendingKind ? pendingKind === 'out' : duty.state === 'in';
  const kind = isOut ? 'out' : 'in';
  const choices = duty.state === 'in' ? [duty.shift] : duty.available;
  const shift = choices.find(({ assignment_id }) => assignment_id === choice) ?? choices[0];
  const next = duty.state === 'out' ? duty.next : undefined;
  const position = location.state === 'found' ? location.position : undefined;

  async function press(action: Action): Promise<void> {
    const asked = questionOf(action, now);
    if (!asked) return clock(action);
    setQuestion(asked);
  }

  /** A known position may have grown old while the sheet was open; it still counts if there is no newer one. */
  async function pressWith(known: Position, of: ClockShift): Promise<void> {
    setLocating(true);
    const fresh = isFresh(known) ? known : await awaitAttempt();
    setLocating(false);
    await press({ kind, shift: of, position: fresh ?? known });
  }

  if (!shift && !next) {
    const isDone = duty.state === 'out' && duty.last;
    return (
      <>
        <p className="text-lg">{isDone ? NO_FURTHER_SHIFT : NO_SHIFT}</p>
        {children}
      </>
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
            Clock-in opens at{' '}
            {formatClockTime(new Date(opensAt(next)).toISOString(), next.timezone, now)}
          </p>
        </div>
      )}
      <LocationLine shift={shift} location={location} onRetry={retry} />
      {orders || (
        <>
          <Button
            busy={busy}
            disabled={!shift || !(position || isLocating)}
            // Disabled, but still readable in sunlight.
            className="min-h-16 w-full text-lg disabled:border-dashed disabled:border-line-strong disabled:bg-sunken disabled:text-ink disabled:opacity-100"
            onClick={() => shift && position && void pressWith(position, shift)}
          >
            {kind === 'in' ? 'Clock In' : 'Clock Out'}
          </Button>
          {children}
          {/* Last, because it goes when the location is found: nothing moves up under a finger. */}
          {shift && (location.state !== 'found' || isWithoutLocation) && (
            <WithoutLocation
              kind={kind}
              busy={busy}
              isOpen={isWithoutLocation}
              onOpen={() => setWithoutLocation(true)}
              onClock={(reason) => press({ kind, shift, position: undefined, reason })}
            />
          )}
        </>
      )}
      {question?.action.kind === 'in' && (
        <EarlyClockIn
          shift={question.action.shift}
          now={now}
          minutes={question.minutes}
          onConfirm={() => clock(question.action)}
          onClose={() => setQuestion(undefined)}
        />
      )}
      {question?.action.kind === 'out' && (
        <EarlyClockOut
          shift={question.action.shift}
          now={now}
          minutes={question.minutes}
          onConfirm={(early) =>
            clock({ ...question.action, reason: joinReasons(question.action.reason, early) })
          }
          onClose={() => setQuestion(undefined)}
        />
      )}
    </>
  );
}
