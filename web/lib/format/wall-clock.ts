// What a clock on the wall of a zone shows, and when it shows it. Made of one formatter for each zone: the one that
// @date-fns/tz needs takes a cheap phone a twentieth of a second to make.
import { UTCDateMini } from '@date-fns/utc/date/mini';

/** Their clocks have shown UTC ever since: no formatter is made for them, the first of which takes a tenth of a second. */
const AT_UTC = new Set(['Africa/Monrovia', 'Africa/Accra', 'UTC']);
const SINCE = Date.UTC(1972, 0, 8);

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
 * @returns a date to format and to reckon days with: its fields are those of the zone's clock, its getTime() is no instant
 */
export function wallClock(instant: string | number, zone: string): Date {
  const date = new Date(instant);
  const ms = date.getTime();
  if (Number.isNaN(ms) || (AT_UTC.has(zone) && ms >= SINCE)) return new UTCDateMini(ms);
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

/**
 * @param wall milliseconds since 1970 as if the zone's clock showed UTC
 * @returns the instant at which it shows that, ISO 8601 in UTC; where clocks are put forward over it, one nearby
 */
export function instantOf(wall: number, zone: string): string {
  const ahead = (ms: number) => wallClock(ms, zone).getTime() - ms;
  // The offset is that of the instant, which is known only by its offset: the second try is right.
  const near = wall - ahead(wall);
  return new Date(wall - ahead(near)).toISOString();
}
