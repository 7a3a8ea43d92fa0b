import { UTCDateMini } from '@date-fns/utc/date/mini';
import { format } from 'date-fns';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  isoDay,
  isoMinute,
  longDate,
  monthAndDay,
  monthAndYear,
  shortDate,
  timeOfDay,
  weekdayAndDay,
} from './date-patterns.ts';

const PATTERNS = [
  ['MMM d', monthAndDay],
  ['MMM yyyy', monthAndYear],
  ['EEE, MMM d', weekdayAndDay],
  ['MMM d, yyyy', shortDate],
  ['MMMM do, yyyy', longDate],
  ['h:mm a', timeOfDay],
  ['yyyy-MM-dd', isoDay],
  ["yyyy-MM-dd'T'HH:mm", isoMinute],
] as const;

it.each(PATTERNS)('%s is what date-fns returns', (pattern, show) => {
  const moments = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2200, 0) });
  fc.assert(
    fc.property(moments, (ms) => {
      const date = new UTCDateMini(ms);
      expect(show(date)).toBe(format(date, pattern));
    }),
    { numRuns: 1000 },
  );
});

it.each(PATTERNS)('%s of an invalid date throws, as in date-fns', (_, show) => {
  expect(() => show(new UTCDateMini(Number.NaN))).toThrow(RangeError);
});
