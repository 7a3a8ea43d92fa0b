// Whether a guard is on duty and which shifts they can clock in on. The portal must work offline, so these rules repeat those
// of the database functions my_clock_shifts and record_clock_event, which decide.

import { format } from 'date-fns';
import * as limits from '#shared/database.limits.ts';
import { isoDay } from '#web/lib/format/date-patterns.ts';
import { wallClock } from '#web/lib/format/wall-clock.ts';
import type { ClockShift } from './clock-event.ts';

export const NO_SHIFT = 'No shift assigned for today.';
export const NO_FURTHER_SHIFT = 'No further shift for today.';

/**
 * @param zone IANA zone of the site
 * @param now milliseconds since 1970
 * @returns for example "6:02 PM"; "Nov 20, 6:02 PM" when it is not today at the site
 */
export function formatClockTime(instant: string, zone: string, now: number): string {
  const date = wallClock(instant, zone);
  const day = 'yyyy-MM-dd';
  const isToday = format(date, day) === format(wallClock(now, zone), day);
  return format(date, isToday ? 'h:mm a' : 'MMM d, h:mm a');
}

const HOUR_MS = 3_600_000;
/** Clock-in opens this long before the shift starts. */
const OPENS_BEFORE_MS = limits.CLOCK_IN_LEAD_MINUTES * 60_000;
/** A guard still clocked in this long after the end of the shift has forgotten to clock out. */
const FORGOTTEN_AFTER_MS = 4 * HOUR_MS;
/** So has a guard whose next shift is running and started at least this long after that end. */
const BREAK_MS = HOUR_MS;
/** How long the last clock-out is shown. */
const RECENT_MS = 16 * HOUR_MS;
/** Leaving more than this before the end needs a confirmation; the server flags it as `left_early`. */
const EARLY_MS = limits.EARLY_LEAVE_MARGIN_MINUTES * 60_000;
/** Clocking in more than this before the start needs a confirmation. */
const EARLY_IN_MS = limits.EARLY_CLOCK_IN_MARGIN_MINUTES * 60_000;
/** How long a clock-out can be undone, and a clock-in. */
const REOPEN_MS = limits.REOPEN_WINDOW_MINUTES * 60_000;
const WITHDRAW_MS = limits.WITHDRAW_WINDOW_MINUTES * 60_000;

export type DutyStatus =
  | {
      state: 'in';
      shift: ClockShift;
      isForgotten: boolean;
      /** The next shift today; the guard must clock out of the current one first. */
      following: ClockShift | undefined;
    }
  | {
      state: 'out';
      /** Shifts open for clock-in now, the nearest start first. */
      available: ClockShift[];
      /** The next shift today whose clock-in is not open yet. */
      next: ClockShift | undefined;
      /** The shift last clocked out of, within 16 hours. */
      last: ClockShift | undefined;
    };

const dayIn = (zone: string, ms: number) => isoDay(wallClock(ms, zone));
const ms = (instant: string | null) => (instant === null ? Number.NaN : Date.parse(instant));

/** @returns when clock-in opens, milliseconds since 1970 */
export function opensAt(shift: ClockShift): number {
  return ms(shift.start_time) - OPENS_BEFORE_MS;
}

/** @returns whole minutes until the end of the shift; undefined when leaving now is not early */
export function earlyMinutes(shift: ClockShift, now: number): number | undefined {
  const left = ms(shift.end_time) - now;
  return left > EARLY_MS ? Math.floor(left / 60_000) : undefined;
}

/** @returns whole minutes until the start of the shift; undefined when clocking in now is not early */
export function minutesToStart(shift: ClockShift, now: number): number | undefined {
  const left = ms(shift.start_time) - now;
  return left > EARLY_IN_MS ? Math.ceil(left / 60_000) : undefined;
}

/** @returns whole minutes between clock-in and clock-out; undefined without either */
export function workedMinutes({ clock_in_at, clock_out_at }: ClockShift): number | undefined {
  const worked = Math.floor((ms(clock_out_at) - ms(clock_in_at)) / 60_000);
  return Number.isNaN(worked) ? undefined : Math.max(0, worked);
}

/** @returns the soonest shift that has not begun, on any day; undefined if none is known */
export function nextShift(shifts: readonly ClockShift[], now: number): ClockShift | undefined {
  return [...shifts]
    .filter(({ start_time, clock_in_at }) => clock_in_at === null && ms(start_time) > now)
    .sort((a, b) => ms(a.start_time) - ms(b.start_time))[0];
}

export function canUndoClockIn(shift: ClockShift, now: number): boolean {
  return shift.clock_out_at === null && now - ms(shift.clock_in_at) <= WITHDRAW_MS;
}

export function canUndoClockOut(shift: ClockShift, now: number): boolean {
  return now - ms(shift.clock_out_at) <= REOPEN_MS;
}

/**
 * @param shifts with the queued events of this device applied (`withEvents`)
 * @param now milliseconds since 1970 by the server's clock
 */
export function findDutyStatus(shifts: readonly ClockShift[], now: number): DutyStatus {
  const current = shifts.find(({ clock_in_at, clock_out_at }) => clock_in_at && !clock_out_at);
  const notStarted = shifts.filter(({ clock_in_at }) => clock_in_at === null);
  const nearest = [...notStarted].sort(
    (a, b) => Math.abs(ms(a.start_time) - now) - Math.abs(ms(b.start_time) - now),
  );
  const available = nearest.filter((shift) => opensAt(shift) <= now && now <= ms(shift.end_time));
  const next = nearest.find(
    (shift) =>
      opensAt(shift) > now &&
      dayIn(shift.timezone, ms(shift.start_time)) === dayIn(shift.timezone, now),
  );
  if (current) {
    const end = ms(current.end_time);
    const hasMissedClockOut = available.some(({ start_time }) => {
      const start = ms(start_time);
      return start <= now && start >= end + BREAK_MS;
    });
    const isForgotten = hasMissedClockOut || now > end + FORGOTTEN_AFTER_MS;
    return { state: 'in', shift: current, isForgotten, following: available[0] ?? next };
  }
  const last = [...shifts]
    .filter(({ clock_out_at }) => ms(clock_out_at) > now - RECENT_MS)
    .sort((a, b) => ms(b.clock_out_at) - ms(a.clock_out_at))[0];
  return { state: 'out', available, next, last };
}
