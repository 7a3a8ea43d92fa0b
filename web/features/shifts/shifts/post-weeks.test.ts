import { expect, test } from 'vitest';
import { toPostWeeks } from './post-weeks.ts';

const NOW = Date.parse('2026-11-24T20:00:00Z');
const GATE = { id: 'gate', name: 'Gate' };
const YARD = { id: 'yard', name: 'Yard' };

const shift = (
  id: string,
  start: string,
  end: string,
  assigned: number,
  required_headcount: number,
) => ({
  id,
  start_time: `2026-11-${start}:00:00Z`,
  end_time: `2026-11-${end}:00:00Z`,
  assigned,
  required_headcount,
});

const weeksOf = (...shifts: ReturnType<typeof shift>[]) =>
  toPostWeeks([GATE, YARD], shifts, new Map(shifts.map(({ id }) => [id, GATE])), NOW);

test('a guard too many at night leaves the seat of the day empty', () => {
  const [gate, yard] = weeksOf(
    shift('day', '24T06', '24T18', 0, 1),
    shift('night', '24T18', '25T06', 2, 1),
  );
  expect(gate?.days.get('2026-11-24')).toEqual({ assigned: 1, required: 2, isOver: false });
  expect(yard?.days.size).toBe(0);
});

test('a day is over when its last shift is, and a night counts on the day it starts', () => {
  const [gate] = weeksOf(
    shift('before', '23T18', '24T06', 1, 1),
    shift('day', '24T06', '24T18', 1, 1),
  );
  expect([...(gate?.days ?? [])].map(([day, { isOver }]) => [day, isOver])).toEqual([
    ['2026-11-23', true],
    ['2026-11-24', true],
  ]);
});

test('shifts made by hand come after the posts', () => {
  const weeks = toPostWeeks([GATE], [shift('event', '28T10', '28T16', 0, 3)], new Map(), NOW);
  expect(weeks.map(({ name }) => name)).toEqual(['Gate', 'Without a post']);
});
