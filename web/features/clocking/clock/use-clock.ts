import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { onChange } from '#web/lib/outbox/changes.ts';
import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { waitingText } from '#web/lib/outbox/submit.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { CLOCK_KIND, type ClockShift, clockEventsOf, withEvents } from './clock-event.ts';
import { applySentEvent, clockShiftsQuery, showCachedShifts } from './clock-shifts.ts';
import { dutyStatusOf } from './duty-status.ts';
import { type ClockAction, recordClockEvent } from './record-clock-event.ts';

const TICK_MS = 5_000;

/** @returns milliseconds since 1970 by the server's clock, or the device's if unknown; undefined until first read */
function useServerNow(): number | undefined {
  const [now, setNow] = useState<number>();
  useEffect(() => {
    const read = async () => {
      // Without storage, fall back to the device's clock.
      const { at, offsetMs } = await deviceTime().catch(() => ({ at: Date.now(), offsetMs: null }));
      setNow(at + (offsetMs ?? 0));
    };
    void read();
    const timer = setInterval(() => void read(), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The guard's duty status with the queued events of this device applied; `duty` is undefined until it is known. */
export function useDutyStatus(userId: string) {
  const queryClient = useQueryClient();
  const query = useQuery(clockShiftsQuery(userId));
  const { waiting, refused, isRead } = useOutbox();
  const now = useServerNow();
  const events = clockEventsOf(waiting);

  const handleChange = useEffectEvent((id: string, outcome: string) => {
    const event = events.find((queued) => queued.id === id);
    if (outcome === 'sent' && event) void applySentEvent(queryClient, userId, event);
    else if (outcome === 'sent' || outcome === 'refused') {
      void queryClient.invalidateQueries({ queryKey: clockShiftsQuery(userId).queryKey });
    }
  });
  useEffect(() => onChange(({ id, outcome }) => handleChange(id, outcome)), []);
  useEffect(() => {
    showCachedShifts(queryClient, userId).catch(console.warn);
  }, [queryClient, userId]);

  // Without the queued events, or by a clock that is hours off, the status would be wrong.
  const isKnown = query.data && isRead && now !== undefined;
  return {
    query,
    now: now ?? Date.now(),
    duty: isKnown ? dutyStatusOf(withEvents(query.data.shifts, events), now) : undefined,
    /** Outbox entries of clock events that the server refused. */
    refused: refused.filter(({ kind }) => kind === CLOCK_KIND),
  };
}

/** Loads what a clock event needs: there may be no signal later. */
export function preloadClocking(): void {
  Promise.all([import('#web/components/ui/toaster.tsx'), import('./send-clock-event.ts')]).catch(
    console.warn,
  );
}

const SUCCESS = { in: 'Clocked In', out: 'Clocked Out', reopen: 'You are clocked in again' };
type Kind = ClockAction['kind'];

/**
 * Records clock events from a screen, one at a time, and shows the outcome as a toast.
 * @returns `clock` resolves to whether the event was queued or stored; `pendingKind` is in progress, `doneKind` succeeded last,
 * until `clearDone`; `shift` is the one that they are about
 */
export function useClock(userId: string) {
  const queryClient = useQueryClient();
  const [pendingKind, setPendingKind] = useState<Kind>();
  const [doneKind, setDoneKind] = useState<Kind>();
  const [shift, setShift] = useState<ClockShift>();

  async function clock(action: Omit<ClockAction, 'userId'>): Promise<boolean> {
    if (pendingKind) return false;
    setPendingKind(action.kind);
    setShift(action.shift);
    try {
      const { event, outcome } = await recordClockEvent({ ...action, userId });
      if (outcome.state === 'refused') {
        showError('Error', outcome.reason);
        return false;
      }
      if (outcome.state === 'sent') void applySentEvent(queryClient, userId, event);
      // In the same render as `pendingKind`, so that a second tap never lands on the opposite button.
      setDoneKind(action.kind);
      showSuccess(SUCCESS[action.kind], waitingText(outcome));
      return true;
    } catch (error) {
      showError('Error', messageOf(error));
      // The server may have stored the event although the response was lost.
      void queryClient.invalidateQueries({ queryKey: clockShiftsQuery(userId).queryKey });
      return false;
    } finally {
      setPendingKind(undefined);
    }
  }

  return { clock, pendingKind, doneKind, shift, clearDone: () => setDoneKind(undefined) };
}

export type ClockControls = ReturnType<typeof useClock>;
