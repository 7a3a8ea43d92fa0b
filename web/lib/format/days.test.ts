import { addDays, format, lastDayOfMonth, parseISO, startOfISOWeek } from 'date-fns';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endOfMonth } from './dates.ts';
import { dayAfter, findMonday } from './days.ts';

const text = (date: Date) => format(date, 'yyyy-MM-dd');

it('calculates with days as date-fns does', () => {
  const days = fc
    .integer({ min: Date.UTC(1900, 0), max: Date.UTC(2200, 0) })
    .map((ms) => new Date(ms).toISOString().slice(0, 10));
  fc.assert(
    fc.property(days, fc.integer({ min: -800, max: 800 }), (day, count) => {
      expect(dayAfter(day, count)).toBe(text(addDays(parseISO(day), count)));
      expect(findMonday(day)).toBe(text(startOfISOWeek(parseISO(day))));
      expect(endOfMonth(day)).toBe(text(lastDayOfMonth(parseISO(day))));
    }),
    { numRuns: 1000 },
  );
});

it('throws for what is no day', () => {
  expect(() => dayAfter('2026-13-40', 1)).toThrow(RangeError);
});
