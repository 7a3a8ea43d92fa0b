import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { recallOf, rememberOf } from '#web/lib/outbox/own-values.ts';
import { type Submitted, submit } from '#web/lib/outbox/submit.ts';
import { CLOCK_KIND, type ClockEvent, type ClockShift, hashOf } from './clock-event.ts';

export type Position = {
  latitude: number;
  longitude: number;
  /** Metres. */
  accuracy: number;
  /** Milliseconds since 1970 by the clock of the device. */
  at: number;
};

export type Clocking = {
  userId: string;
  kind: ClockEvent['kind'];
  shift: ClockShift;
  /** Undefined after a location error, with a reason; for an entered time; and for `reopen`. */
  position: Position | undefined;
  reason?: string;
  /** Milliseconds since 1970. */
  enteredAt?: number;
};

const TITLES = { in: 'Clock in', out: 'Clock out', reopen: 'Clocked out by mistake' };
const LAST_HASH = 'last-clock-hash';
/** A tenth of a metre, in degrees. */
const DIGITS = 6;

async function chained(userId: string, loose: Omit<ClockEvent, 'hash' | 'previousHash'>) {
  const last = await recallOf(userId, LAST_HASH);
  const unhashed = { ...loose, previousHash: typeof last === 'string' ? last : null };
  const event = { ...unhashed, hash: await hashOf(unhashed) };
  // Storage that is full breaks the chain, which the server only notes; the event goes on.
  await rememberOf(userId, LAST_HASH, event.hash).catch(console.warn);
  return event;
}

async function makeEvent(clocking: Clocking): Promise<ClockEvent> {
  const { userId, kind, shift, position, reason, enteredAt } = clocking;
  const { at, offsetMs } = await deviceTime();
  const id = crypto.randomUUID();
  const loose = {
    id,
    kind,
    assignmentId: shift.assignment_id,
    attendanceId: kind === 'in' ? id : (shift.attendance_id ?? id),
    deviceAt: at,
    offsetMs,
    enteredAt: enteredAt ?? null,
    gps: position
      ? `${position.latitude.toFixed(DIGITS)},${position.longitude.toFixed(DIGITS)}`
      : null,
    accuracyM: position ? Math.round(position.accuracy) : null,
    fixAgeS: position ? Math.max(0, Math.round((at - position.at) / 1000)) : null,
    reason: reason ?? null,
  };
  // Two tabs would otherwise tie their events to the same one.
  return 'locks' in navigator
    ? navigator.locks.request('clock-chain', () => chained(userId, loose))
    : chained(userId, loose);
}

/**
 * @returns the event and what has become of it within a few seconds
 * @throws what the guard did wrong, or that there is no room to keep the event
 */
export async function recordClockEvent(
  clocking: Clocking,
): Promise<{ event: ClockEvent; outcome: Submitted }> {
  const { userId, kind, shift, position, reason, enteredAt } = clocking;
  if (kind !== 'reopen' && !position && !reason && enteredAt === undefined) {
    throw new Error(
      kind === 'in'
        ? 'Cannot clock in without assignment or location.'
        : 'Cannot clock out without location.',
    );
  }
  const event = await makeEvent(clocking);
  const title = `${TITLES[kind]}, ${shift.site_name}`;
  const outcome = await submit({ id: event.id, userId, kind: CLOCK_KIND, title, payload: event });
  return { event, outcome };
}
