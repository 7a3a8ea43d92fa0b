import { afterEach, beforeEach, expect, it } from 'vitest';
import { queryClient } from '#web/lib/cache/query-client.ts';
import { announce } from '#web/lib/outbox/changes.ts';
import { CLOCK_KIND } from '#web/lib/outbox/kinds.ts';
import type { ClockEvent } from './clock-event.ts';
import './clock-outcome.ts';
import { clockShiftsQuery } from './clock-shifts.ts';

const userId = '00000000-0000-4000-8000-000000000001';
const { queryKey } = clockShiftsQuery(userId);
const shift = {
  assignment_id: '00000000-0000-4000-8000-000000000002',
  site_id: '00000000-0000-4000-8000-000000000003',
  site_name: 'Freeport Gate',
  client_name: 'Client',
  address: 'Monrovia',
  timezone: 'Africa/Monrovia',
  latitude: 6.3,
  longitude: -10.8,
  geofence_radius_m: 200,
  start_time: '2026-11-21T06:00:00Z',
  end_time: '2026-11-21T18:00:00Z',
  attendance_id: null,
  clock_in_at: null,
  clock_out_at: null,
  flags: null,
};
const clockIn: ClockEvent = {
  id: '00000000-0000-4000-8000-000000000004',
  kind: 'in',
  assignmentId: shift.assignment_id,
  attendanceId: '00000000-0000-4000-8000-000000000004',
  deviceAt: Date.parse('2026-11-21T06:01:00Z'),
  offsetMs: 0,
  enteredAt: null,
  gps: null,
  accuracyM: null,
  fixAgeS: null,
  reason: null,
  previousHash: null,
  hash: null,
};
const entry = { id: clockIn.id, userId, kind: CLOCK_KIND, title: 'Clock in', payload: clockIn };

const shown = () => queryClient.getQueryData(queryKey)?.shifts;
const isReloaded = () => queryClient.getQueryState(queryKey)?.isInvalidated;

beforeEach(() => {
  queryClient.setQueryData(queryKey, { at: 0, shifts: [shift], isCached: false });
});
afterEach(() => queryClient.clear());

it('a sent event changes the shifts at once, and reloads them', () => {
  announce({ id: clockIn.id, outcome: 'sent', sent: entry });
  expect(shown()).toEqual([
    { ...shift, attendance_id: clockIn.attendanceId, clock_in_at: '2026-11-21T06:01:00.000Z' },
  ]);
  expect(isReloaded()).toBe(true);
});

it('a refused event reloads the shifts, as somebody may have changed them', () => {
  announce({ id: clockIn.id, outcome: 'refused' });
  expect(shown()).toEqual([shift]);
  expect(isReloaded()).toBe(true);
});

it.each([
  { outcome: 'added' as const },
  { outcome: 'offline' as const },
  { outcome: 'sent' as const, sent: { ...entry, kind: 'incident', payload: {} } },
])('$outcome of an event that waits, or of another kind, changes nothing', (change) => {
  announce({ id: clockIn.id, ...change });
  expect(shown()).toEqual([shift]);
  expect(isReloaded()).toBe(false);
});
