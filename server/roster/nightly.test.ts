import Holidays from 'date-holidays';
import { expect, test } from 'vitest';
import { publicHolidays, withMondays } from './holidays.ts';
import { untilNextRun } from './nightly.ts';

test.each([
  ['2026-11-22T00:30:00Z', 'Africa/Monrovia', 0.5],
  ['2026-11-22T01:00:00Z', 'Africa/Monrovia', 24],
  ['2026-11-22T18:00:00Z', 'Africa/Monrovia', 7],
  // 23:30 in Lagos.
  ['2026-12-31T22:30:00Z', 'Africa/Lagos', 1.5],
  // The clock goes forward in the night before.
  ['2027-03-27T12:00:00Z', 'Europe/London', 12 + 1 + 1 - 1],
])('at %s in %s the next run is in %d hours', (now, zone, hours) => {
  expect(untilNextRun(new Date(now), zone) / 3_600_000).toBeCloseTo(hours);
});

test('the eleven holidays of Liberia, and a Monday for each Sunday', () => {
  const holidays = publicHolidays([2026, 2027]);
  const of = (year: string) => holidays.filter(({ day }) => day.startsWith(year));
  expect(of('2026').map(({ day }) => day)).toEqual([
    '2026-01-01',
    '2026-02-11',
    '2026-03-11',
    '2026-03-15',
    '2026-03-16',
    '2026-04-10',
    '2026-05-14',
    '2026-07-26',
    '2026-07-27',
    '2026-08-24',
    '2026-11-05',
    '2026-11-29',
    '2026-11-30',
    '2026-12-25',
  ]);
  expect(of('2027')).toHaveLength(11);
  expect(holidays).toContainEqual({ day: '2026-07-27', name: 'Independence Day (observed)' });
});

test("the library of the world's holidays has the same", () => {
  const years = Array.from({ length: 31 }, (_, index) => 2020 + index);
  const country = new Holidays('LR', { types: ['public'] });
  const known = years.flatMap((year) =>
    country.getHolidays(year).map(({ date, name }) => ({ day: date.slice(0, 10), name })),
  );
  expect(publicHolidays(years)).toEqual(withMondays(known));
});

test('a Sunday at the end of a month', () => {
  expect(withMondays([{ day: '2027-01-31', name: 'A day' }]).map(({ day }) => day)).toEqual([
    '2027-01-31',
    '2027-02-01',
  ]);
});
