import { describe, expect, it } from 'vitest';
import { type ClockEvent, type ClockShift, withEvents } from './clock-event.ts';
import {
  canUndoClockIn,
  canUndoClockOut,
  earlyMinutes,
  findDutyStatus,
  minutesToStart,
  nextShift,
  workedMinutes,
} from './duty-status.ts';

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

describe('clocking in', () => {
  it('is early more than 30 minutes before the start, in whole minutes', () => {
    expect(minutesToStart(shift(0.5, 8), NOW)).toBeUndefined();
    expect(minutesToStart(shift(0.51, 8), NOW)).toBe(31);
    expect(minutesToStart(shift(3 + 47 / 60, 12), NOW)).toBe(227);
    expect(minutesToStart(shift(-1, 8), NOW)).toBeUndefined();
  });

  it('can be taken back for 30 minutes, while the guard is on duty', () => {
    expect(canUndoClockIn(shift(-1, 7, { clock_in_at: at(-0.5) }), NOW)).toBe(true);
    expect(canUndoClockIn(shift(-1, 7, { clock_in_at: at(-0.51) }), NOW)).toBe(false);
    const over = shift(-1, 7, { clock_in_at: at(-0.2), clock_out_at: at(-0.1) });
    expect(canUndoClockIn(over, NOW)).toBe(false);
    expect(canUndoClockIn(shift(-1, 7), NOW)).toBe(false);
  });

  it('and taking it back, both still queued, leaves the shift open for clock-in', () => {
    const only = shift(-1, 7);
    const queued = withEvents([only], [event('in', only), event('withdraw', only)]);
    const duty = findDutyStatus(queued, NOW);
    expect(duty).toMatchObject({
      state: 'out',
      available: [{ assignment_id: only.assignment_id, waiting: 'withdraw', attendance_id: null }],
      last: undefined,
    });
    const again = withEvents(
      [only],
      [event('in', only), event('withdraw', only), event('in', only)],
    );
    expect(findDutyStatus(again, NOW)).toMatchObject({ state: 'in', shift: { waiting: 'in' } });
  });
});

describe('after clocking out', () => {
  it('the time between both events was worked', () => {
    const done = shift(-13, -1, { clock_in_at: at(-13.1), clock_out_at: at(-1) });
    expect(workedMinutes(done)).toBe(726);
    expect(workedMinutes(shift(-1, 7))).toBeUndefined();
    expect(workedMinutes(shift(-1, 7, { clock_in_at: at(-1) }))).toBeUndefined();
  });

  it('the next shift is the soonest that has not begun, on any day', () => {
    const done = shift(-9, -1, { clock_in_at: at(-9), clock_out_at: at(-1) });
    const soon = shift(40, 48);
    expect(nextShift([shift(64, 72), soon, done, shift(-2, 6)], NOW)).toBe(soon);
    expect(nextShift([done], NOW)).toBeUndefined();
  });
});
