import { expect, test } from 'vitest';
import { mostAtOnce, type Preset, presetCycle, type Slot, weeklyHours } from './cycle.ts';
import { guardsNeeded, judgePattern, rotationsFor, toLines } from './guards-needed.ts';

// A Wednesday.
const FROM = '2026-11-25';

test.each<[Preset, number, string[], number, number]>([
  ['day_and_night_12', 1, ['0 06:00 720', '0 18:00 720'], 168, 1],
  ['day_and_night_8', 1, ['0 06:00 480', '0 14:00 480', '0 22:00 480'], 168, 1],
  ['nights', 1, ['0 18:00 720'], 84, 1],
  ['weekdays', 7, ['0', '1', '2', '5', '6'].map((day) => `${day} 08:00 540`), 45, 1],
  ['weekends', 7, ['3 06:00 720', '4 06:00 720'], 24, 1],
  ['one_off', 1, ['0 08:00 480'], 56, 1],
])('preset %s from a Wednesday', (preset, days, slots, hours, most) => {
  const cycle = presetCycle(preset, { from: FROM, headcount: 1 });
  expect(cycle.cycle_days).toBe(days);
  expect(cycle.slots.map(({ day, start, minutes }) => `${day} ${start} ${minutes}`)).toEqual(slots);
  expect(cycle.slots.map(({ slot }) => slot)).toEqual(slots.map((_, i) => i + 1));
  expect(weeklyHours(cycle)).toBeCloseTo(hours);
  expect(mostAtOnce(cycle)).toBe(most);
});

test('a 24/7 post of one guard takes about four people, whichever the length of its slots', () => {
  for (const preset of ['day_and_night_12', 'day_and_night_8'] as const) {
    const needed = guardsNeeded(presetCycle(preset, { from: FROM, headcount: 1 }));
    expect(needed.hours).toBe(168);
    expect(needed.working).toBeCloseTo(3.5);
    expect(needed.total).toBeCloseTo(3.9, 1);
  }
  const two = guardsNeeded(presetCycle('day_and_night_12', { from: FROM, headcount: 2 }));
  expect(two.total).toBeCloseTo(7.8, 1);
});

const rotation = (minutes: number, start: string, on: number, off: number) =>
  judgePattern({
    cycle_days: on + off,
    slots: Array.from(
      { length: on },
      (_, day): Slot => ({ slot: day, day, start, minutes, headcount: 1 }),
    ),
  });

test.each([
  // The hours are those of public summaries of shift cycles.
  [720, '06:00', 4, 2, 56, ['averages 56 h a week: over the limit of 53 h']],
  [720, '06:00', 4, 4, 42, []],
  [720, '06:00', 4, 3, 48, []],
  [480, '06:00', 4, 2, 37.33, []],
  [480, '06:00', 6, 1, 48, []],
  [480, '06:00', 5, 2, 40, []],
  [
    720,
    '18:00',
    5,
    2,
    60,
    ['averages 60 h a week: over the limit of 53 h', '5 nights in a row: over the limit of 4'],
  ],
  [
    780,
    '06:00',
    3,
    4,
    39,
    ['13 h at a stretch: over the limit of 12 h', '11 h of rest between shifts: 12 needed'],
  ],
  [600, '07:00', 5, 2, 50, ['averages 50 h a week: 2 h of overtime every week']],
])('%d minutes from %s, %d on and %d off', (minutes, start, on, off, hours, problems) => {
  const judged = rotation(minutes, start, on, off);
  expect(judged.hours).toBeCloseTo(hours, 1);
  expect(judged.problems).toEqual(problems);
});

test('two days on, two off, three on and so on averages 42 hours', () => {
  const days = [0, 1, 4, 5, 6, 9, 10];
  const slots = days.map((day) => ({ slot: day, day, start: '06:00', minutes: 720, headcount: 1 }));
  expect(judgePattern({ cycle_days: 14, slots })).toEqual({
    hours: 42,
    isLawful: true,
    problems: [],
  });
});

test('one person alone on a 24/7 post breaks every limit', () => {
  const cycle = presetCycle('day_and_night_12', { from: FROM, headcount: 1 });
  const [day, night] = toLines(cycle);
  expect(day?.label).toBe('06:00 to 18:00');
  expect(judgePattern({ ...cycle, slots: day?.slots ?? [] }).problems).toEqual([
    'averages 84 h a week: over the limit of 53 h',
    'no day off',
    'at most 12 h free in some weeks: 36 needed',
  ]);
  expect(judgePattern({ ...cycle, slots: night?.slots ?? [] }).problems).toContain('every night');
});

test('the rotations of a 12-hour line, and what the law says of each', () => {
  const [line] = toLines(presetCycle('day_and_night_12', { from: FROM, headcount: 1 }));
  const judged = line ? rotationsFor(line) : [];
  expect(
    judged.map(({ name, judgement }) => [name, Math.round(judgement.hours), judgement.isLawful]),
  ).toEqual([
    ['four on, two off', 56, false],
    ['four on, three off', 48, true],
    ['four on, four off', 42, true],
    ['five on, two off', 60, false],
    ['six on, one off', 72, false],
  ]);
});

test('slots that run into the next cycle count as on duty there', () => {
  const slots = [
    { slot: 1, day: 0, start: '06:00', minutes: 720, headcount: 2 },
    { slot: 2, day: 1, start: '20:00', minutes: 720, headcount: 3 },
  ];
  expect(mostAtOnce({ cycle_days: 2, slots })).toBe(5);
});
