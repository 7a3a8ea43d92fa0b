import { describe, expect, it } from 'vitest';
import { type ClockEvent, type ClockShift, withEvents } from './clock-event.ts';
import { canUndoClockOut, earlyMinutes, findDutyStatus } from './duty-status.ts';

const NOW = Date.parse('2026-11-21T01:00:00Z');
const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();
let count = 0;

function shift(from: number, to: number, more: Partial<ClockShift> = {}): ClockShift {
  count += 1;
  return {
    assignment_id: `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
    site_id: '00000000-0000-4000-8000-000000000000',
    site_name: 'Freeport Gate',
    client_name: 'Client',
    address: 'Monrovia',
    timezone: 'Africa/Monrovia',
    latitude: 6.3,
    longitude: -10.8,
    geofence_radius_m: 200,
    start_time: at(from),
    end_time: at(to),
    attendance_id: null,
    clock_in_at: null,
    clock_out_at: null,
    flags: null,
    ...more,
  };
}

function event(
  kind: ClockEvent['kind'],
  of: ClockShift,
  more: Partial<ClockEvent> = {},
): ClockEvent {
  return {
    id: crypto.randomUUID(),
    kind,
    assignmentId: of.assignment_id,
    attendanceId: crypto.randomUUID(),
    deviceAt: NOW,
    offsetMs: 0,
    enteredAt: null,
    gps: null,
    accuracyM: null,
    fixAgeS: null,
    reason: null,
    previousHash: null,
    hash: null,
    ...more,
  };
}

describe('the duty status', () => {
  it('is in on last night’s shift after midnight, even with a later shift today', () => {
    const night = shift(-7, 5, { clock_in_at: at(-7) });
    const later = shift(7, 15);
    expect(findDutyStatus([later, night], NOW)).toEqual({
      state: 'in',
      shift: night,
      isForgotten: false,
      following: later,
    });
  });

  it('reports a forgotten clock-out four hours after the end', () => {
    const over = (hours: number) => shift(-20, -hours, { clock_in_at: at(-20) });
    expect(findDutyStatus([over(3.9)], NOW)).toMatchObject({ isForgotten: false });
    expect(findDutyStatus([over(4.1)], NOW)).toMatchObject({ isForgotten: true });
  });

  it('reports it earlier when the next shift started after a break, but not in a double shift', () => {
    const open = shift(-10, -2, { clock_in_at: at(-10) });
    const afterBreak = shift(-0.5, 7.5);
    const double = shift(-2, 6);
    expect(findDutyStatus([open, afterBreak], NOW)).toMatchObject({
      isForgotten: true,
      following: afterBreak,
    });
    expect(findDutyStatus([open, double], NOW)).toMatchObject({
      isForgotten: false,
      following: double,
    });
    expect(findDutyStatus([open, shift(1, 9)], NOW)).toMatchObject({ isForgotten: false });
  });

  it('counts leaving as early until 15 minutes before the end, and lets a clock-out be undone for 30 minutes', () => {
    expect(earlyMinutes(shift(-1, 7.999), NOW)).toBe(479);
    expect(earlyMinutes(shift(-1, 0.25), NOW)).toBeUndefined();
    expect(canUndoClockOut(shift(-1, 7, { clock_out_at: at(-0.5) }), NOW)).toBe(true);
    expect(canUndoClockOut(shift(-1, 7, { clock_out_at: at(-0.51) }), NOW)).toBe(false);
    expect(canUndoClockOut(shift(-1, 7), NOW)).toBe(false);
  });

  it('offers both the ending and the starting shift, the nearest start first', () => {
    const ending = shift(-7.5, 0.5);
    const beginning = shift(0.5, 8.5);
    expect(findDutyStatus([ending, beginning], NOW)).toMatchObject({
      available: [beginning, ending],
    });
  });

  it('names the next shift of today that is not open yet, but none of tomorrow', () => {
    const today = shift(6, 14);
    expect(findDutyStatus([today], NOW)).toMatchObject({ available: [], next: today });
    expect(findDutyStatus([shift(24, 32)], NOW)).toMatchObject({ available: [], next: undefined });
  });
});

describe('queued events', () => {
  it('count as stored, by the server’s clock', () => {
    const only = shift(-1, 7);
    const clockIn = event('in', only, { deviceAt: NOW + 3_600_000, offsetMs: -3_600_000 });
    const [updated] = withEvents([only], [clockIn]);
    expect(updated).toMatchObject({ clock_in_at: at(0), waiting: 'in' });
    expect(findDutyStatus(withEvents([only], [clockIn]), NOW).state).toBe('in');
    const both = withEvents([only], [clockIn, event('out', only, { enteredAt: NOW - 60_000 })]);
    expect(findDutyStatus(both, NOW)).toMatchObject({ state: 'out', available: [], last: both[0] });
    const undone = withEvents(both, [event('reopen', only)]);
    expect(findDutyStatus(undone, NOW)).toMatchObject({
      state: 'in',
      shift: { waiting: 'reopen' },
    });
  });
});
