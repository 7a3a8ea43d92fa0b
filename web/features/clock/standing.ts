// Whether a guard is clocked in, and on which shifts they may clock in now. The server decides in the end; these are the
// same rules (migration attendance_rules), so that a phone without a network knows too.
import { format } from 'date-fns';
import { wallClock } from '#web/lib/wall-clock.ts';
import type { ClockShift } from './shift.ts';

const HOUR_MS = 3_600_000;
/** A clock-in opens this long before the shift starts. */
const OPENS_BEFORE_MS = 4 * HOUR_MS;
/** Whoever is clocked in this long after the end of the shift has forgotten to clock out. */
const FORGOTTEN_AFTER_MS = 4 * HOUR_MS;
/** For so long the last clock-out is still worth telling. */
const RECENT_MS = 16 * HOUR_MS;

export type Standing =
  | { state: 'in'; shift: ClockShift; isForgotten: boolean }
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

/**
 * @param shifts with the events that wait on this device already in them
 * @param now milliseconds since 1970 by the server's clock
 */
export function standingOf(shifts: readonly ClockShift[], now: number): Standing {
  const open = shifts.find(({ clock_in_at, clock_out_at }) => clock_in_at && !clock_out_at);
  if (open) {
    const isForgotten = now > ms(open.end_time) + FORGOTTEN_AFTER_MS;
    return { state: 'in', shift: open, isForgotten };
  }
  const untouched = shifts.filter(({ clock_in_at }) => clock_in_at === null);
  const nearest = [...untouched].sort(
    (a, b) => Math.abs(ms(a.start_time) - now) - Math.abs(ms(b.start_time) - now),
  );
  const last = [...shifts]
    .filter(({ clock_out_at }) => ms(clock_out_at) > now - RECENT_MS)
    .sort((a, b) => ms(b.clock_out_at) - ms(a.clock_out_at))[0];
  return {
    state: 'out',
    fitting: nearest.filter((shift) => opensAt(shift) <= now && now <= ms(shift.end_time)),
    next: nearest.find(
      (shift) =>
        opensAt(shift) > now &&
        dayIn(shift.timezone, ms(shift.start_time)) === dayIn(shift.timezone, now),
    ),
    last,
  };
}
