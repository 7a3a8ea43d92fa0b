// Converts between instants and the local time of a zone. The formatter that @date-fns/tz creates blocks a slow phone for 0.05 s.
import { UTCDateMini } from '@date-fns/utc/date/mini';
import { wallTime } from '#shared/wall-time.ts';

/**
 * @param instant ISO 8601 with offset, or milliseconds since 1970
 * @param zone IANA name
 * @returns a date for formatting and day arithmetic: its fields are the zone's local time, so its getTime() is not the instant
 */
export function wallClock(instant: string | number, zone: string): Date {
  const ms = new Date(instant).getTime();
  return new UTCDateMini(Number.isNaN(ms) ? ms : wallTime(ms, zone));
}

/** @param day yyyy-MM-dd @returns a date whose fields are those of the day */
export const calendarDay = (day: string): Date =>
  new UTCDateMini(Date.parse(`${day.slice(0, 10)}T00:00:00Z`));

/**
 * @param wall local time of the zone, as milliseconds since 1970 as if it were UTC
 * @returns the instant, ISO 8601 in UTC; a nearby one for local times skipped by daylight saving
 */
export function toInstant(wall: number, zone: string): string {
  const ahead = (ms: number) => wallClock(ms, zone).getTime() - ms;
  // The offset depends on the instant, so it is computed twice.
  const near = wall - ahead(wall);
  return new Date(wall - ahead(near)).toISOString();
}
