// The wall clocks of zones with and without summer time, against instants that are known.
import { format } from 'date-fns';
import { describe, expect, it } from 'vitest';
import { instantOf, wallClock } from './wall-clock.ts';

const CASES = [
  { zone: 'Africa/Monrovia', instant: '2026-11-21T23:30:00.000Z', wall: '2026-11-21 23:30' },
  { zone: 'Africa/Lagos', instant: '2026-11-21T23:30:00.000Z', wall: '2026-11-22 00:30' },
  { zone: 'America/New_York', instant: '2026-07-01T03:15:00.000Z', wall: '2026-06-30 23:15' },
  { zone: 'America/New_York', instant: '2026-12-31T04:59:00.000Z', wall: '2026-12-30 23:59' },
  { zone: 'Asia/Kolkata', instant: '2026-01-01T00:00:00.000Z', wall: '2026-01-01 05:30' },
  // Half an hour after clocks were put forward.
  { zone: 'Europe/Paris', instant: '2026-03-29T01:30:00.000Z', wall: '2026-03-29 03:30' },
];

describe.each(CASES)('at $instant in $zone', ({ zone, instant, wall }) => {
  it(`the clock shows ${wall}`, () => {
    expect(format(wallClock(instant, zone), 'yyyy-MM-dd HH:mm')).toBe(wall);
  });

  it('that time on the clock is this instant', () => {
    expect(instantOf(wallClock(instant, zone).getTime(), zone)).toBe(instant);
  });
});

it('what is no date shows as none', () => {
  expect(wallClock('tomorrow', 'Africa/Monrovia').getTime()).toBeNaN();
});
