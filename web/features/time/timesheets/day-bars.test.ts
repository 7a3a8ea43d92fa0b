import { expect, it } from 'vitest';
import { toBars } from './day-bars.ts';

const span = (starts_at: string, ends_at: string) => ({ starts_at, ends_at });
const positions = (day: string, ...spans: ReturnType<typeof span>[]) =>
  toBars(day, spans).map(({ left, width, isFromBefore, goesOn }) => [
    left,
    width,
    isFromBefore,
    goesOn,
  ]);

it('a day shift lies between its hours', () => {
  const day = span('2026-10-05T06:00:00Z', '2026-10-05T18:00:00Z');
  expect(positions('2026-10-05', day)).toEqual([[25, 50, false, false]]);
});

it('a night shift ends at midnight and goes on the next day', () => {
  const night = span('2026-10-05T18:00:00Z', '2026-10-06T06:00:00Z');
  expect(positions('2026-10-05', night)).toEqual([[75, 25, false, true]]);
  expect(positions('2026-10-06', night)).toEqual([[0, 25, true, false]]);
  expect(positions('2026-10-07', night)).toEqual([]);
});

it('a span that ends at midnight does not continue on the next day', () => {
  const evening = span('2026-10-05T18:00:00Z', '2026-10-06T00:00:00Z');
  expect(positions('2026-10-05', evening)).toEqual([[75, 25, false, false]]);
  expect(positions('2026-10-06', evening)).toEqual([]);
});

it('is in order of time, and empty spans are left out', () => {
  const late = span('2026-10-05T18:00:00Z', '2026-10-05T21:00:00Z');
  const early = span('2026-10-05T00:00:00Z', '2026-10-05T06:00:00Z');
  const empty = span('2026-10-05T09:00:00Z', '2026-10-05T09:00:00Z');
  expect(positions('2026-10-05', late, empty, early)).toEqual([
    [0, 25, false, false],
    [75, 12.5, false, false],
  ]);
});
