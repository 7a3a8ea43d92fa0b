import { expect, it } from 'vitest';
import type { GuardShift } from './api.ts';
import { formatHours, shiftDays } from './shift-days.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const site: GuardShift['shift']['site'] = {
  name: 'Freeport Gate',
  client_name: 'Client',
  address: 'Freeport, Monrovia',
  timezone: 'Africa/Monrovia',
  latitude: 6.35,
  longitude: -10.79,
};
const shift = (start_time: string, end_time: string): GuardShift => ({
  id: start_time,
  status: 'assigned',
  role_at_shift: null,
  shift: { start_time, end_time, site },
});

it('groups shifts by the day they start on, with its weekday', () => {
  const days = shiftDays(
    [
      shift('2026-11-21T06:00:00Z', '2026-11-21T14:00:00Z'),
      shift('2026-11-21T22:00:00Z', '2026-11-22T06:00:00Z'),
      shift('2026-11-22T18:00:00Z', '2026-11-23T06:00:00Z'),
      shift('2026-11-25T18:00:00Z', '2026-11-26T06:00:00Z'),
    ],
    NOW,
  );
  expect(days.map(({ title, isToday, shifts }) => [title, isToday, shifts.length])).toEqual([
    ['Today, Saturday, Nov 21', true, 2],
    ['Tomorrow, Sunday, Nov 22', false, 1],
    ['Wednesday, Nov 25', false, 1],
  ]);
});

it('names the weekday of the end of a night shift', () => {
  const { shift: day } = shift('2026-11-21T06:00:00Z', '2026-11-21T18:00:00Z');
  const { shift: night } = shift('2026-11-21T18:00:00Z', '2026-11-22T06:00:00Z');
  expect(formatHours(day)).toBe('6:00 AM - 6:00 PM');
  expect(formatHours(night)).toBe('6:00 PM - Sun 6:00 AM');
});
