import { describe, expect, it } from 'vitest';
import { waitingEntry } from '#web/lib/outbox/entry.ts';
import { CLOCK_KIND, NOTICE_KIND } from '#web/lib/outbox/kinds.ts';
import type { GuardShift } from './api.ts';
import { hasWaitingClockEvent, noticeKinds, waitingNotice } from './duty-notice.ts';

const A = '0197a3a0-7c3e-7b52-9d4b-1f2e3d4c5b6a';
const B = '0197a3a0-7c3e-7b52-9d4b-1f2e3d4c5b6b';
const START = '2026-11-29T18:00:00Z';

const shift = (change: Partial<GuardShift> = {}): GuardShift => ({
  id: A,
  status: 'confirmed',
  attendance_state: 'none',
  role_at_shift: null,
  shift: {
    start_time: START,
    end_time: '2026-11-30T06:00:00Z',
    site: {
      ...{ name: 'Freeport Gate', client_name: 'Client', address: 'Freeport, Monrovia' },
      ...{ timezone: 'Africa/Monrovia', latitude: 6.35, longitude: -10.79 },
    },
  },
  ...change,
});
const at = (hours: number) => Date.parse(START) + hours * 3_600_000;

describe('what a guard can say about a shift', () => {
  it.each([
    ['more than a day before', -24.1, []],
    ['within a day', -24, ['running_late', 'cant_come']],
    ['until the start', -0.01, ['running_late', 'cant_come']],
    ['shortly after the start only that they are late', 0, ['running_late']],
    ['not two hours later', 2, []],
    ['not after the end', 13, []],
  ])('%s', (_, hours, kinds) => {
    expect(noticeKinds(shift(), at(hours))).toEqual(kinds);
  });

  it('is nothing once they have clocked in, or when the shift is not theirs', () => {
    expect(noticeKinds(shift({ attendance_state: 'in' }), at(0))).toEqual([]);
    expect(noticeKinds(shift({ status: 'cancelled' }), at(-1))).toEqual([]);
    expect(noticeKinds(shift({ status: 'no_show' }), at(-1))).toEqual([]);
  });
});

const entry = (sequence: number, id: string, payload: unknown, kind = NOTICE_KIND) => ({
  ...waitingEntry({ id, userId: 'u', kind, title: '', payload }, 0, null),
  sequence,
});

describe('what waits to be sent', () => {
  const late = { assignmentId: A, kind: 'running_late', minutes: 20, reason: 'Bus broke down' };

  it('is the newest notice of the shift, by the id that takes it back', () => {
    const waiting = [
      entry(1, 'first', late),
      entry(2, 'second', { ...late, minutes: 45 }),
      entry(3, 'third', { ...late, assignmentId: B, kind: 'cant_come', minutes: null }),
      entry(4, 'fourth', null),
    ];
    expect(waitingNotice(waiting, A)).toEqual({
      ...{ id: 'second', kind: 'running_late', minutes: 45, reason: 'Bus broke down' },
    });
    expect(waitingNotice(waiting, B)).toMatchObject({ id: 'third', kind: 'cant_come' });
    expect(
      waitingNotice([...waiting, entry(5, 'fifth', { assignmentId: A, withdraws: B })], A),
    ).toBe('withdrawn');
    expect(waitingNotice([], A)).toBeUndefined();
  });

  it('is a clock event when the guard has come', () => {
    const waiting = [entry(1, 'first', { assignmentId: A, kind: 'in' }, CLOCK_KIND)];
    expect(hasWaitingClockEvent(waiting, A)).toBe(true);
    expect(hasWaitingClockEvent(waiting, B)).toBe(false);
  });
});
