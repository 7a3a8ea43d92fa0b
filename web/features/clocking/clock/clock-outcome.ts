// What has become of a clock event. The outbox owns it: an entry waits, is refused with a reason, or is sent and gone. The
// duty status, the screens and their toasts read it here.
import { z } from 'zod';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { queryClient } from '#web/lib/cache/query-client.ts';
import { type Change, onChange } from '#web/lib/outbox/changes.ts';
import { CLOCK_KIND } from '#web/lib/outbox/kinds.ts';
import { type SubmitOutcome, waitingText } from '#web/lib/outbox/submit.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import {
  type ClockEvent,
  type ClockShift,
  clockEventSchema,
  readClockEvents,
  withEvents,
} from './clock-event.ts';
import {
  cacheShifts,
  clockShiftsQuery,
  readCachedShifts,
  reloadClockShifts,
} from './clock-shifts.ts';

const SUCCESS = {
  in: 'Clocked In',
  out: 'Clocked Out',
  reopen: 'You are clocked in again',
  withdraw: 'Clock-in taken back',
};

/** @param outcome after a few seconds at most: a waiting event is sent or refused later */
export function showOutcome(kind: ClockEvent['kind'], outcome: SubmitOutcome): void {
  if (outcome.state === 'refused') showError('Error', outcome.reason);
  else showSuccess(SUCCESS[kind], waitingText(outcome));
}

/** Marks the last event of a shift in the duty status. */
export const waitingMark = ({ waiting }: ClockShift) => (waiting ? ' — waiting to send' : '');

/** The clock events on this device, those that wait and the entries of those that the server refused. */
export function useClockOutcomes() {
  const { waiting, refused, isRead } = useOutbox();
  return {
    isRead,
    waiting: readClockEvents(waiting),
    refused: refused.filter(({ kind }) => kind === CLOCK_KIND),
  };
}

const withSent = <Loaded extends { shifts: ClockShift[] }>(loaded: Loaded, event: ClockEvent) => ({
  ...loaded,
  shifts: withEvents(loaded.shifts, [event]).map(({ waiting: _, ...shift }) => shift),
});

/** Updates this device's cached shifts with a sent event, because the server may be unreachable afterwards. */
export async function cacheSentEvent(userId: string, event: ClockEvent): Promise<void> {
  const cached = await readCachedShifts(userId);
  if (cached) await cacheShifts(userId, withSent(cached, event));
}

const sentEntry = z.object({
  kind: z.literal(CLOCK_KIND),
  userId: z.string(),
  payload: clockEventSchema,
});

/** Runs in every tab, and before the duty status learns that the event no longer waits. */
function updateShifts({ outcome, sent }: Change): void {
  const { data: entry } = sentEntry.safeParse(sent);
  if (entry) {
    queryClient.setQueryData(
      clockShiftsQuery(entry.userId).queryKey,
      (loaded) => loaded && withSent(loaded, entry.payload),
    );
  }
  if (entry || outcome === 'refused') void reloadClockShifts();
}

onChange(updateShifts);
