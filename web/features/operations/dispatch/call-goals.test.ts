import { expect, test } from 'vitest';
import { clockOf, runningGoal } from './call-goals.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 30, 12) + minute * 60_000).toISOString();
const call = (changes: Partial<Parameters<typeof runningGoal>[0]> = {}) => ({
  state: 'open' as const,
  received_at: at(0),
  answered_at: null,
  en_route_at: null,
  on_scene_at: null,
  answer_due_at: at(3),
  en_route_due_at: at(5),
  on_scene_due_at: at(15),
  ...changes,
});
const toneAt = (minute: number, changes = {}) => runningGoal(call(changes), Date.parse(at(minute)));

test('the timer of the next goal turns amber in its last third, and red when it is over', () => {
  expect(toneAt(1)).toEqual({ label: 'Answer', leftMs: 120_000, tone: 'green' });
  expect(toneAt(2.5)).toMatchObject({ tone: 'orange' });
  expect(toneAt(4)).toMatchObject({ leftMs: -60_000, tone: 'red' });
  expect(toneAt(4, { state: 'assigned', answered_at: at(2) })).toMatchObject({
    label: 'On the way',
    tone: 'orange',
  });
});

test('no timer runs once a unit is on scene, or the call is over', () => {
  const done = { answered_at: at(1), en_route_at: at(2), on_scene_at: at(9) };
  expect(toneAt(30, { ...done, state: 'on_scene' })).toBeUndefined();
  expect(toneAt(30, { state: 'cancelled' })).toBeUndefined();
});

test.each([
  [125_000, '2:05'],
  [-40_000, '+0:40'],
  [-7_500_000, '+2 h 5 min'],
])('%i ms is %s', (ms, text) => {
  expect(clockOf(ms)).toBe(text);
});
