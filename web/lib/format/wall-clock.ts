// Converts between instants and the local time of a zone, with one Intl formatter per zone: the one that @date-fns/tz creates
// blocks a slow phone for 0.05 s.
import { UTCDateMini } from '@date-fns/utc/date/mini';
import { isAtUtc } from '#shared/utc-zones.ts';

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(zone, clock);
  return clock;
}

/**
 * @param instant ISO 8601 with offset, or milliseconds since 1970
 * @param zone IANA name
 * @returns a date for formatting and day arithmetic: its fields are the zone's local time, so its getTime() is not the instant
 */
export function wallClock(instant: string | number, zone: string): Date {
  const date = new Date(instant);
  const ms = date.getTime();
  if (Number.isNaN(ms) || isAtUtc(zone, ms)) return new UTCDateMini(ms);
  const fields = new Map(
    clockOf(zone)
      .formatToParts(date)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes) => fields.get(type) ?? 0;
  return new UTCDateMini(
    Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')),
  );
}

/** @param day yyyy-MM-dd @returns a date whose fields are those of the day */
export const calendarDay = (day: string): Date =>
  new UTCDateMini(Date.parse(`${day.slice(0, 10)}T00:00:00Z`));

/**
 * @param wall local time of the zone, as milliseconds since 1970 as if it were UTC
 * @returns the instant, ISO 8601 in UTC; a nearby one for local times skipped by daylight saving
 */
export function instantOf(wall: number, zone: string): string {
  const ahead = (ms: number) => wallClock(ms, zone).getTime() - ms;
  // The offset depends on the instant, so it is computed twice.
  const near = wall - ahead(wall);
  return new Date(wall - ahead(near)).toISOString();
}
