import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { type ClockShift, withEvents } from './clock-event.ts';
import { showOutcome, useClockOutcomes } from './clock-outcome.ts';
import { clockShiftsQuery, showCachedShifts } from './clock-shifts.ts';
import { findDutyStatus, nextShift } from './duty-status.ts';
import { type ClockAction, recordClockEvent } from './record-clock-event.ts';

/** The guard's duty status with the queued events of this device applied; `duty` is undefined until it is known. */
export function useDutyStatus(userId: string) {
  const query = useQuery(clockShiftsQuery(userId));
  const { waiting, refused, isRead } = useClockOutcomes();
  const now = useServerNow();
  useEffect(() => {
    showCachedShifts(userId).catch(console.warn);
  }, [userId]);

  // Without the queued events, or by a clock that is hours off, the status would be wrong.
  const isKnown = query.data && isRead && now !== undefined;
  const shifts = isKnown ? withEvents(query.data.shifts, waiting) : undefined;
  return {
    query,
    now: now ?? serverNow(),
    duty: shifts && now !== undefined ? findDutyStatus(shifts, now) : undefined,
    /** The soonest shift to come, on any day. */
    upcoming: shifts && now !== undefined ? nextShift(shifts, now) : undefined,
    refused,
  };
}

/** Loads what a clock event needs: there may be no signal later. */
export function preloadClocking(): void {
  Promise.all([import('#web/components/ui/toaster.tsx'), import('./send-clock-event.ts')]).catch(
    console.warn,
  );
}

type Kind = ClockAction['kind'];

/**
 * Records clock events from a screen, one at a time, and shows the outcome as a toast.
 * @returns `pendingKind` is in progress, `doneKind` was queued or stored last, until `clearDone`; `shift` is the one that they
 * are about
 */
export function useClock(userId: string) {
  const [pendingKind, setPendingKind] = useState<Kind>();
  const [doneKind, setDoneKind] = useState<Kind>();
  const [shift, setShift] = useState<ClockShift>();

  async function clock(action: Omit<ClockAction, 'userId'>): Promise<void> {
    if (pendingKind) return;
    setPendingKind(action.kind);
    setShift(action.shift);
    const outcome = await recordClockEvent({ ...action, userId });
    showOutcome(action.kind, outcome);
    // In one render, so that a second tap never lands on the opposite button.
    if (outcome.state !== 'refused') setDoneKind(action.kind);
    setPendingKind(undefined);
  }

  return { clock, pendingKind, doneKind, shift, clearDone: () => setDoneKind(undefined) };
}

export type ClockControls = ReturnType<typeof useClock>;
