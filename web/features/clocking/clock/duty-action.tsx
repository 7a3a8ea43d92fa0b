// The one tap: clocks in or out at once when all is normal, and opens the clock dialog when the guard has something to decide.

import { CircleCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { isKnown } from '#web/lib/cache/is-known.ts';
import { awaitAttempt } from '#web/lib/position/attempt.ts';
import { isFresh, type Position } from '#web/lib/position/locate.ts';
import { type LocationState, usePosition } from '#web/lib/position/use-position.ts';
import { firstPaint } from '#web/lib/render/first-paint.ts';
import type { ClockShift } from './clock-event.ts';
import { ClockSheet } from './clock-sheet.ts';
import { type DutyStatus, earlyMinutes, minutesToStart } from './duty-status.ts';
import { shortSiteName } from './duty-timing.ts';
import { AskForLocation, LocationHint } from './location-hint.tsx';
import { isDoubtful } from './post-distance.ts';
import { useGuardOrders, useUnreadOrders } from './post-orders.ts';
import { type ClockControls, preloadClocking } from './use-clock.ts';

/** After an event, the place of the button takes no second tap for this long. */
const SETTLE_MS = 5_000;
/** To spare the battery, the position is followed only from this long before the start. */
const SOON_MS = 3_600_000;

type NextAction = {
  kind: 'in' | 'out';
  shift: ClockShift;
  /** Nothing to choose, read or confirm, unless the position is an exception. */
  isPlain: boolean;
  /** Post orders that the guard has not read. */
  hasUnread: boolean;
  /** Of several shifts. */
  isChoice: boolean;
};

function nextAction(
  duty: DutyStatus,
  now: number,
  unread: readonly unknown[],
): NextAction | undefined {
  if (duty.state === 'in') {
    const { shift, isForgotten } = duty;
    const isPlain = !isForgotten && earlyMinutes(shift, now) === undefined;
    return { kind: 'out', shift, isPlain, hasUnread: false, isChoice: false };
  }
  const [shift, ...others] = duty.available;
  const hasUnread = unread.length > 0;
  if (!shift) return undefined;
  const isChoice = others.length > 0;
  const isPlain = !isChoice && !hasUnread && minutesToStart(shift, now) === undefined;
  return { kind: 'in', shift, isPlain, hasUnread, isChoice };
}

function isSoon({ kind, shift }: NextAction, now: number): boolean {
  return kind === 'out' || Date.parse(shift.start_time) - now < SOON_MS;
}

function labelOf({ kind, shift, hasUnread, isChoice }: NextAction, duty: DutyStatus): string {
  if (duty.state === 'in' && duty.isForgotten) return 'Enter when you left';
  if (kind === 'out') return 'Clock out';
  if (hasUnread) return 'Read the post orders and clock in';
  return isChoice ? 'Choose a shift and clock in' : `Clock in at ${shortSiteName(shift.site_name)}`;
}

function freshPosition(location: LocationState): Position | undefined {
  if (location.state !== 'found') return undefined;
  return isFresh(location.position) ? location.position : undefined;
}

const DONE = {
  in: 'Clock-in recorded',
  out: 'Clock-out recorded',
  reopen: 'Clock-out undone',
  withdraw: 'Clock-in taken back',
};

type DutyActionProps = { userId: string; duty: DutyStatus; now: number; controls: ClockControls };

export function DutyAction({ userId, duty, now, controls }: DutyActionProps) {
  const { clock, doneKind } = controls;
  // Kept until the outcome is known: `duty` already includes an event in flight.
  const [acting, setActing] = useState<NextAction>();
  const [sheet, setSheet] = useState<'open' | 'without-location'>();
  /** Counts the taps, and what ends their wait for a position. */
  const tap = useRef(0);
  const open = duty.state === 'out' ? duty.available : [];
  const unread = useUnreadOrders(
    userId,
    open.map(({ assignment_id }) => assignment_id),
  );
  const next = nextAction(duty, now, unread);
  const areOrdersKnown = isKnown(useGuardOrders(userId).query);
  const isWanted = areOrdersKnown && next?.isPlain === true && isSoon(next, now);
  const [location, allow] = usePosition({ isWanted, mayAsk: false });
  const hasAction = next !== undefined;
  useEffect(() => {
    if (hasAction) void firstPaint.then(preloadClocking);
  }, [hasAction]);
  const clearDone = useEffectEvent(controls.clearDone);
  useEffect(() => {
    if (!doneKind) return;
    const timer = setTimeout(() => clearDone(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [doneKind]);

  async function press(action: NextAction) {
    if (acting) return;
    if (!action.isPlain) {
      setSheet('open');
      return;
    }
    setActing(action);
    tap.current += 1;
    const own = tap.current;
    try {
      const position = freshPosition(location) ?? (await awaitAttempt());
      if (own !== tap.current) return;
      const { kind, shift } = action;
      if (!position || isDoubtful(shift, position)) setSheet('open');
      else await clock({ kind, shift, position });
    } finally {
      if (own === tap.current) setActing(undefined);
    }
  }

  function leaveOutLocation() {
    tap.current += 1;
    setActing(undefined);
    setSheet('without-location');
  }

  const shown = acting ?? next;
  const isForgotten = duty.state === 'in' && duty.isForgotten;
  const isEarly =
    shown !== undefined && !shown.isPlain && !shown.hasUnread && !shown.isChoice && !isForgotten;
  const isLocating = acting !== undefined && controls.pendingKind === undefined;
  return (
    <>
      {doneKind && (
        <p className="flex min-h-16 items-center justify-center gap-2.5 rounded-sm bg-success/12 px-4 text-lg font-semibold text-success">
          <CircleCheck aria-hidden="true" className="size-6" /> {DONE[doneKind]}
        </p>
      )}
      {!doneKind && shown && (
        <>
          {isWanted && location.state === 'unasked' && <AskForLocation onAllow={allow} />}
          <Button
            variant={isEarly ? 'secondary' : 'primary'}
            busy={acting !== undefined || controls.pendingKind !== undefined}
            className="min-h-16 w-full text-lg whitespace-normal"
            onClick={() => void press(shown)}
          >
            {isLocating ? 'Getting your location...' : labelOf(shown, duty)}
          </Button>
          {/* Below the button, which must not move under a second tap. */}
          {isLocating && (
            <Button variant="secondary" className="min-h-12 w-full" onClick={leaveOutLocation}>
              Clock {shown.kind} without location
            </Button>
          )}
          {isWanted && !acting && <LocationHint shift={shown.shift} location={location} />}
        </>
      )}
      {sheet && (
        <LazyPart fallback={<Opening title="Clock In/Out" />} onClose={() => setSheet(undefined)}>
          <ClockSheet
            startsWithoutLocation={sheet === 'without-location'}
            onClose={() => setSheet(undefined)}
          />
        </LazyPart>
      )}
    </>
  );
}
