// Zones with and without daylight saving, against known instants.
import { format } from 'date-fns';
import { describe, expect, it } from 'vitest';
import { toInstant, wallClock } from './wall-clock.ts';

const CASES = [
  { zone: 'Africa/Monrovia', instant: '2026-11-21T23:30:00.000Z', wall: '2026-11-21 23:30' },
  { zone: 'Africa/Monrovia', instant: '1971-06-01T12:00:00.000Z', wall: '1971-06-01 11:15' },
  { zone: 'Africa/Lagos', instant: '2026-11-21T23:30:00.000Z', wall: '2026-11-22 00:30' },
  { zone: 'America/New_York', instant: '2026-07-01T03:15:00.000Z', wall: '2026-06-30 23:15' },
  { zone: 'America/New_York', instant: '2026-12-31T04:59:00.000Z', wall: '2026-12-30 23:59' },
  { zone: 'Asia/Kolkata', instant: '2026-01-01T00:00:00.000Z', wall: '2026-01-01 05:30' },
  // Half an hour after clocks were put forward.
  { zone: 'Europe/Paris', instant: '2026-03-29T01:30:00.000Z', wall: '2026-03-29 03:30' },
];

describe.each(CASES)('at $instant in $zone', ({ zone, instant, wall }) => {
  it(`the local time is ${wall}`, () => {
    expect(format(wallClock(instant, zone), 'yyyy-MM-dd HH:mm')).toBe(wall);
  });

  it('the local time converts back to the instant', () => {
    expect(toInstant(wallClock(instant, zone).getTime(), zone)).toBe(instant);
  });
});

it.each(['Africa/Monrovia', 'Africa/Accra'])('the clock in %s has shown UTC since 1972', (zone) => {
  const clock = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  for (let year = 1972; year <= new Date().getFullYear() + 20; year += 1) {
    for (let month = 0; month < 12; month += 1) {
      const parts = clock.formatToParts(Date.UTC(year, month, 15));
      expect(parts.find(({ type }) => type === 'timeZoneName')?.value).toMatch(/^GMT(\+00:00)?$/);
    }
  }
});

it('an invalid date stays invalid', () => {
  expect(wallClock('tomorrow', 'Africa/Monrovia').getTime()).toBeNaN();
});
