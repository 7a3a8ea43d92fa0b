import { expect, test } from 'vitest';
import { countdown, dueCheck, type WelfareCheck } from './welfare.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const MINUTE = 60_000;
const SHIFT = 'b9a3c5a2-0c6b-4d7f-9f39-3a1b2c3d4e5f';
const check = (minutes: number): WelfareCheck => ({
  assignment_id: SHIFT,
  site_name: 'Port Gate',
  timezone: 'Africa/Monrovia',
  due_at: new Date(NOON + minutes * MINUTE).toISOString(),
  every_minutes: 60,
  end_time: new Date(NOON + 240 * MINUTE).toISOString(),
});
const answer = (minutes: number) => ({
  assignmentId: SHIFT,
  deviceAt: NOON + minutes * MINUTE,
  offsetMs: 0,
});

/** @returns minutes after noon of the check to answer */
const due = (at: number, checks: WelfareCheck[], answers: ReturnType<typeof answer>[] = []) => {
  const found = dueCheck(checks, answers, NOON + at * MINUTE);
  return found && (found.dueAt - NOON) / MINUTE;
};

test.each([
  ['is asked for from five minutes before', -5, [check(0)], [], 0],
  ['is not asked for earlier', -6, [check(0)], [], undefined],
  ['is the oldest of several', 70, [check(0), check(60)], [], 0],
  ['is answered while the answer waits to be sent', 2, [check(0)], [answer(1)], undefined],
  ['is not answered by an old answer', 2, [check(0)], [answer(-30)], 0],
  ['follows every hour without a signal', 58, [check(0)], [answer(1)], 60],
  ['is asked for no more after the shift', 400, [check(0)], [answer(239)], undefined],
])('a check %s', (_name, at, checks, answers, expected) => {
  expect(due(at, checks, answers)).toBe(expected);
});

test('the countdown ends at nought', () => {
  expect([countdown(4 * MINUTE + 4_200), countdown(900), countdown(-5)]).toEqual([
    '4:05',
    '0:01',
    '0:00',
  ]);
});
