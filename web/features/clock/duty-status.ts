import { format } from 'date-fns';
import { CLOCK_IN_LEAD_HOURS, EARLY_LEAVE_MINUTES, REOPEN_MINUTES } from '#shared/time-limits.ts';
import { wallClock } from '#web/lib/format/wall-clock.ts';
import type { ClockShift } from './clock-event.ts';

export const NO_SHIFT = 'No shift assigned for today.';
export const NO_FURTHER_SHIFT = 'No further shift for today.';

/**
 * @param instant ISO 8601
 * @param zone IANA
 * @param now milliseconds since 1970
 * @returns for example "6:02 PM"; "Nov 20, 6:02 PM" on another day
 */
export function timeOn(instant: string, zone: string, now: number): string {
  const date = wallClock(instant, zone);
  const day = 'yyyy-MM-dd';
  const isToday = format(date, day) === format(wallClock(now, zone), day);
  return format(date, isToday ? 'h:mm a' : 'MMM d, h:mm a');
}

/** @param seconds age of something @returns for example "4 s old" or "3 min old" */
export function ageOf(seconds: number): string {
  return seconds < 60
    ? `${Math.max(0, Math.round(seconds))} s old`
    : `${Math.round(seconds / 60)} min old`;
}

const HOUR_MS = 3_600_000;
/** A clock-in opens this long before the shift starts. */
const OPENS_BEFORE_MS = CLOCK_IN_LEAD_HOURS * HOUR_MS;
/** A guard who is clocked in this long after the end of the shift has forgotten to clock out. */
const FORGOTTEN_AFTER_MS = 4 * HOUR_MS;
/** Or whose next shift is running and began this long after that end: nobody stays on during such a break. */
const BREAK_MS = HOUR_MS;
/** The last clock-out is shown for this long. */
const RECENT_MS = 16 * HOUR_MS;
/** Leaving earlier than this before the end is asked about; the database flags it. */
const EARLY_MS = EARLY_LEAVE_MINUTES * 60_000;
/** A clock-out can be undone for this long. */
const REOPEN_MS = REOPEN_MINUTES * 60_000;

export type Standing =
  | {
      state: 'in';
      shift: ClockShift;
      isForgotten: boolean;
      /** The shift of today that can only be clocked in on after clocking out of this one. */
      following: ClockShift | undefined;
    }
  | {
      state: 'out';
      /** Shifts that can be clocked in on now, the nearest start first. */
      fitting: ClockShift[];
      /** The next one of today, where none can be clocked in on yet. */
      next: ClockShift | undefined;
      /** The one that was clocked out of in the last 16 hours. */
      last: ClockShift | undefined;
    };

const dayIn = (zone: string, ms: number) => format(wallClock(ms, zone), 'yyyy-MM-dd');
const ms = (instant: string | null) => (instant === null ? Number.NaN : Date.parse(instant));

/** @returns the moment from which the shift can be clocked in on, milliseconds since 1970 */
export function opensAt(shift: ClockShift): number {
  return ms(shift.start_time) - OPENS_BEFORE_MS;
}

/** @returns whole minutes until the end of the shift, where leaving now is early; undefined where it is not */
export function minutesLeft(shift: ClockShift, now: number): number | undefined {
  const left = ms(shift.end_time) - now;
  return left > EARLY_MS ? Math.floor(left / 60_000) : undefined;
}

/** @returns whether a clock-out of this shift can still be undone */
export function isReopenable(shift: ClockShift, now: number): boolean {
  return now - ms(shift.clock_out_at) <= REOPEN_MS;
}

/**
 * @param shifts with the events that wait on this device already in them
 * @param now milliseconds since 1970 by the server's clock
 */
export function standingOf(shifts: readonly ClockShift[], now: number): Standing {
  const open = shifts.find(({ clock_in_at, clock_out_at }) => clock_in_at && !clock_out_at);
  const untouched = shifts.filter(({ clock_in_at }) => clock_in_at === null);
  const nearest = [...untouched].sort(
    (a, b) => Math.abs(ms(a.start_time) - now) - Math.abs(ms(b.start_time) - now),
  );
  const fitting = nearest.filter((shift) => opensAt(shift) <= now && now <= ms(shift.end_time));
  const next = nearest.find(
    (shift) =>
      opensAt(shift) > now &&
      dayIn(shift.timezone, ms(shift.start_time)) === dayIn(shift.timezone, now),
  );
  if (open) {
    const end = ms(open.end_time);
    const isMissed = fitting.some(({ start_time }) => {
      const start = ms(start_time);
      return start <= now && start >= end + BREAK_MS;
    });
    const isForgotten = isMissed || now > end + FORGOTTEN_AFTER_MS;
    return { state: 'in', shift: open, isForgotten, following: fitting[0] ?? next };
  }
  const last = [...shifts]
    .filter(({ clock_out_at }) => ms(clock_out_at) > now - RECENT_MS)
    .sort((a, b) => ms(b.clock_out_at) - ms(a.clock_out_at))[0];
  return { state: 'out', fitting, next, last };
}
