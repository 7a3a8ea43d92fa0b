import { expect, test } from 'vitest';
import type { Cycle } from '#shared/demand/cycle.ts';
import { addSlot, cutPieces, moveSlot, removeSlot, resizeSlot } from './slot-moves.ts';

const cycle: Cycle = {
  cycle_days: 2,
  slots: [
    { slot: 1, day: 0, start: '06:00', minutes: 720, headcount: 1 },
    { slot: 2, day: 1, start: '18:00', minutes: 720, headcount: 2 },
  ],
};
const shown = (slots: Cycle['slots']) =>
  slots.map(({ slot, day, start, minutes }) => `${slot}: ${day} ${start} ${minutes}`);

test.each([
  [1, 30, ['1: 0 06:30 720', '2: 1 18:00 720']],
  [1, 24 * 60, ['1: 1 06:00 720', '2: 1 18:00 720']],
  // Around the end of the cycle, and the order follows.
  [2, 8 * 60, ['2: 0 02:00 720', '1: 0 06:00 720']],
  [1, -7 * 60, ['2: 1 18:00 720', '1: 1 23:00 720']],
])('moving slot %d by %d minutes', (slot, minutes, slots) => {
  expect(shown(moveSlot(cycle, slot, minutes))).toEqual(slots);
});

test('lengths stay between half an hour and a day', () => {
  expect(resizeSlot(cycle, 1, 30)[0]?.minutes).toBe(750);
  expect(resizeSlot(cycle, 1, -5_000)[0]?.minutes).toBe(30);
  expect(resizeSlot(cycle, 1, 5_000)[0]?.minutes).toBe(1_440);
});

test('a new slot gets a number of its own, also after one was removed', () => {
  const one = { ...cycle, slots: removeSlot(cycle, 1) };
  expect(addSlot(one, 0, 9 * 60, { minutes: 60 })).toMatchObject({ added: 3 });
});

test('a night is drawn on two days, the last of the cycle runs into the first', () => {
  expect(cutPieces(cycle, 0)).toMatchObject([
    { from: 0, to: 360, isRest: true, lane: 0 },
    { from: 360, to: 1080, isRest: false, lane: 0 },
  ]);
  expect(cutPieces(cycle, 1)).toMatchObject([{ from: 1080, to: 1440, isRest: false }]);
});

test('slots at the same time lie in two lanes', () => {
  const { slots } = addSlot(cycle, 0, 8 * 60, { minutes: 120 });
  expect(cutPieces({ ...cycle, slots }, 0).map(({ lane }) => lane)).toEqual([0, 0, 1]);
});
