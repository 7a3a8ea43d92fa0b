import { describe, expect, test } from 'vitest';
import { findPresence, sumHours } from './presence.ts';
import type { Duty } from './sections-api.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();

const duty = (from: number, to: number, more: Partial<Duty> = {}): Duty => ({
  id: `duty ${from}`,
  status: 'assigned',
  role_at_shift: 'Guard',
  attendance_state: 'none',
  on_leave: false,
  no_show_reason: null,
  attendance: [],
  shift: {
    id: 'shift',
    start_time: at(from),
    end_time: at(to),
    site: { id: 'site', name: 'Freeport', address: 'Bushrod Island', timezone: 'Africa/Monrovia' },
  },
  ...more,
});

describe('a person is', () => {
  test.each<[string, Duty[], string, string]>([
    [
      'on post while clocked in, also after the end',
      [
        duty(-9, -1, {
          attendance_state: 'in',
          attendance: [{ clock_in_at: at(-9), clock_out_at: null }],
        }),
      ],
      'On post',
      'Clocked in 3:00 AM, ends 11:00 AM',
    ],
    ['late after five minutes', [duty(-1, 7)], 'Late', 'Due since 11:00 AM, not clocked in'],
    ['not late at once', [duty(-0.05, 8)], 'Due today', '11:57 AM to 8:00 PM'],
    ['on leave', [duty(-1, 7, { on_leave: true })], 'On leave', 'No duty in the next two weeks'],
    [
      'off duty when the shift was cancelled',
      [duty(-1, 7, { status: 'cancelled' }), duty(24, 32)],
      'Off duty',
      'Next duty Sat, Nov 21, 12:00 PM',
    ],
    [
      'off duty when the clock-out was forgotten yesterday',
      [duty(-30, -22, { attendance_state: 'in' })],
      'Off duty',
      'No duty in the next two weeks',
    ],
  ])('%s', (_what, duties, label, detail) => {
    expect(findPresence(duties, NOW)).toMatchObject({ label, detail });
  });
});

test('hours leave out cancelled shifts and leave, and count what was worked', () => {
  const worked = [{ clock_in_at: at(-9), clock_out_at: at(-1.5) }];
  const duties = [
    duty(-9, -1, { attendance: worked, attendance_state: 'out' }),
    duty(10, 18, { status: 'cancelled' }),
    duty(20, 28, { on_leave: true }),
    duty(30, 42),
  ];
  expect(sumHours(duties)).toEqual({ planned: 1200, worked: 450 });
});
