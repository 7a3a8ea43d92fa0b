// How the clock screen words times: in the zone of the site.
import { format } from 'date-fns';
import { wallClock } from '#web/lib/format/wall-clock.ts';

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
