import { describeError } from '#web/lib/errors/error-message.ts';
import { CLOCK_KIND } from '#web/lib/outbox/kinds.ts';
import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { getUserValue, setUserValue } from '#web/lib/outbox/store.ts';
import { type SubmitOutcome, submit } from '#web/lib/outbox/submit.ts';
import { timeOrderedId } from '#web/lib/outbox/time-ordered-id.ts';
import { type Position, recordedPlace } from '#web/lib/position/locate.ts';
import { type ClockEvent, type ClockShift, hashEvent } from './clock-event.ts';
import { reloadClockShifts } from './clock-shifts.ts';

export type ClockAction = {
  userId: string;
  kind: ClockEvent['kind'];
  shift: ClockShift;
  /** Undefined for `reopen` and `withdraw`, for an entered time, and after a location error, which needs a `reason`. */
  position: Position | undefined;
  reason?: string;
  /** When the guard says they left, milliseconds since 1970; only for a forgotten clock-out. */
  enteredAt?: number;
};

const TITLES = {
  in: 'Clock in',
  out: 'Clock out',
  reopen: 'Clocked out by mistake',
  withdraw: 'Clocked in by mistake',
};
const LAST_HASH = 'last-clock-hash';

/** Links the event to the previous one of this device by hash. */
async function chain(userId: string, unlinked: Omit<ClockEvent, 'hash' | 'previousHash'>) {
  const last = await getUserValue(userId, LAST_HASH);
  const unhashed = { ...unlinked, previousHash: typeof last === 'string' ? last : null };
  const event = { ...unhashed, hash: await hashEvent(unhashed) };
  // Full storage breaks the chain; the server flags that and still accepts the event.
  await setUserValue(userId, LAST_HASH, event.hash).catch(console.warn);
  return event;
}

async function makeEvent(action: ClockAction): Promise<ClockEvent> {
  const { userId, kind, shift, position, reason, enteredAt } = action;
  const { at, offsetMs } = await deviceTime();
  const id = timeOrderedId();
  const unlinked = {
    id,
    kind,
    assignmentId: shift.assignment_id,
    attendanceId: kind === 'in' ? id : (shift.attendance_id ?? id),
    deviceAt: at,
    offsetMs,
    enteredAt: enteredAt ?? null,
    ...recordedPlace(position),
    reason: reason ?? null,
  };
  // Without the lock, two tabs would link their events to the same one.
  return 'locks' in navigator
    ? navigator.locks.request('clock-chain', () => chain(userId, unlinked))
    : chain(userId, unlinked);
}

/** @throws Error with a message for the guard: missing location, or no room to queue the event */
async function queueEvent(action: ClockAction): Promise<SubmitOutcome> {
  const { userId, kind, shift, position, reason, enteredAt } = action;
  const isUndo = kind === 'reopen' || kind === 'withdraw';
  if (!isUndo && !position && !reason && enteredAt === undefined) {
    throw new Error(
      kind === 'in'
        ? 'Cannot clock in without assignment or location.'
        : 'Cannot clock out without location.',
    );
  }
  const event = await makeEvent(action);
  const title = `${TITLES[kind]}, ${shift.site_name}`;
  return submit({ id: event.id, userId, kind: CLOCK_KIND, title, payload: event });
}

/** Queues the event in the outbox and tries to send it. @returns its outcome after a few seconds at most */
export async function recordClockEvent(action: ClockAction): Promise<SubmitOutcome> {
  try {
    return await queueEvent(action);
  } catch (error) {
    // The server may have stored the event although the response was lost.
    void reloadClockShifts();
    return { state: 'refused', reason: describeError(error), isStored: false };
  }
}
