// A seat's present state: one guard's, or of a seat without a guard.
import type { Guard, Shift, Site } from './operations-schema.ts';
import { SEAT_STATES } from './operations-search.ts';

/** `done`: nothing is expected of it now. */
export type SeatState = (typeof SEAT_STATES)[number] | 'done';

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** The board shows the last 5 and the next 10 hours: this watch, and the whole of the next one's start. */
export const BEHIND_MS = 5 * HOUR_MS;
export const AHEAD_MS = 10 * HOUR_MS;
/** What begins later is no work of now: it has an outlook, not a state. */
const SOON_MS = 2 * HOUR_MS;
/** Loaded beyond that: what comes into view until the next full load. */
export const MARGIN_MS = 20 * MINUTE_MS;
/** Alerts about a guard on post who is not heard of. */
const SILENT = ['welfare', 'no_signal'];

/** `assignments` also changes when a guard clocks in or out, which dispatchers learn from it alone. */
export const BOARD_TABLES = [
  'shifts',
  'assignments',
  'attendance',
  'alerts',
  'duty_notices',
] as const;

/** @param now by the server's clock, milliseconds @returns arguments of operations_board */
export const windowAt = (now: number) => ({
  p_from: new Date(now - BEHIND_MS).toISOString(),
  p_to: new Date(now + AHEAD_MS + MARGIN_MS).toISOString(),
});

/** Whether the guard holds a seat of the shift; otherwise the seat is empty. */
export const holdsSeat = ({ status, on_leave }: Guard) => status !== 'no_show' && !on_leave;

/** Whether something is expected of the shift now or within two hours. */
export const isCurrent = (shift: Pick<Shift, 'starts' | 'ends'>, now: number) =>
  Date.parse(shift.ends) > now && Date.parse(shift.starts) < now + SOON_MS;

/** Whether enough guards are on post, for example because another came for one who left. */
const isFull = ({ guards, needed }: Shift) =>
  guards.filter(({ clock_in, clock_out }) => clock_in && !clock_out).length >= needed;

export type Place = { shift: Shift; site: Pick<Site, 'alert_after_minutes'> };

export function stateOfGuard(guard: Guard, { shift, site }: Place, now: number): SeatState {
  const kinds = shift.alerts
    .filter(({ assignment_id }) => assignment_id === guard.assignment_id)
    .map(({ kind }) => kind);
  if (kinds.includes('sos')) return 'sos';
  if (!isCurrent(shift, now)) return 'done';
  if (guard.clock_out) return guard.left_early && !isFull(shift) ? 'left_early' : 'done';
  if (guard.clock_in) return kinds.some((kind) => SILENT.includes(kind)) ? 'no_signal' : 'on_post';
  const expected = Date.parse(guard.expected);
  if (now < expected) return guard.status === 'assigned' ? 'unconfirmed' : 'due';
  return now - expected < site.alert_after_minutes * MINUTE_MS ? 'late' : 'missing';
}

/** Whether the guard is on post: clocked in and not out. With an SOS or without a signal they still are. */
const isOnPost = (guard: Guard, shift: Shift, now: number) =>
  isCurrent(shift, now) && guard.clock_in !== null && guard.clock_out === null;

/** `isOnPost`: counted as on post whatever the state, for example without a signal. */
export type Seat = { state: SeatState; isOnPost: boolean; guard?: Guard };

/**
 * @param now milliseconds
 * @returns what a seat of a shift that has not begun will be; undefined from its beginning on
 */
export function outlookOf(
  { guard }: Seat,
  starts: number,
  now: number,
): 'confirmed' | 'unconfirmed' | 'cant_come' | 'empty' | undefined {
  if (starts <= now || guard?.clock_in) return undefined;
  if (!guard) return 'empty';
  if (guard.notice?.kind === 'cant_come') return 'cant_come';
  return guard.status === 'assigned' ? 'unconfirmed' : 'confirmed';
}

/** The seats of a shift, the gravest first. */
export function listSeats(place: Place, now: number): Seat[] {
  const { shift } = place;
  const guards = shift.guards.filter(holdsSeat).map((guard) => ({
    state: stateOfGuard(guard, place, now),
    isOnPost: isOnPost(guard, shift, now),
    guard,
  }));
  const state: SeatState = isCurrent(shift, now) ? 'empty' : 'done';
  const empty = Array.from({ length: shift.empty }, () => ({ state, isOnPost: false }));
  return [...guards, ...empty].sort((a, b) => gravity(a.state) - gravity(b.state));
}

/** The smaller the graver. */
export const gravity = (state: SeatState) =>
  state === 'done' ? SEAT_STATES.length : SEAT_STATES.indexOf(state);

export const findWorst = (states: readonly SeatState[]): SeatState =>
  states.reduce((worst, state) => (gravity(state) < gravity(worst) ? state : worst), 'done');
