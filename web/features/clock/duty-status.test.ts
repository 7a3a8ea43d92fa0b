import { describe, expect, it } from 'vitest';
import { type ClockEvent, type ClockShift, withEvents } from './clock-event.ts';
import { isReopenable, minutesLeft, standingOf } from './duty-status.ts';

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

describe('where a guard stands', () => {
  it('is on last night’s shift after midnight, whatever comes later', () => {
    const night = shift(-7, 5, { clock_in_at: at(-7) });
    const later = shift(7, 15);
    expect(standingOf([later, night], NOW)).toEqual({
      state: 'in',
      shift: night,
      isForgotten: false,
      following: later,
    });
  });

  it('has forgotten to clock out four hours after the end', () => {
    const over = (hours: number) => shift(-20, -hours, { clock_in_at: at(-20) });
    expect(standingOf([over(3.9)], NOW)).toMatchObject({ isForgotten: false });
    expect(standingOf([over(4.1)], NOW)).toMatchObject({ isForgotten: true });
  });

  it('has forgotten it earlier when another shift began after a break, not in a double shift', () => {
    const open = shift(-10, -2, { clock_in_at: at(-10) });
    const afterBreak = shift(-0.5, 7.5);
    const double = shift(-2, 6);
    expect(standingOf([open, afterBreak], NOW)).toMatchObject({
      isForgotten: true,
      following: afterBreak,
    });
    expect(standingOf([open, double], NOW)).toMatchObject({
      isForgotten: false,
      following: double,
    });
    expect(standingOf([open, shift(1, 9)], NOW)).toMatchObject({ isForgotten: false });
  });

  it('leaves early more than 15 minutes before the end, and can undo it for 30 minutes', () => {
    expect(minutesLeft(shift(-1, 7.999), NOW)).toBe(479);
    expect(minutesLeft(shift(-1, 0.25), NOW)).toBeUndefined();
    expect(isReopenable(shift(-1, 7, { clock_out_at: at(-0.5) }), NOW)).toBe(true);
    expect(isReopenable(shift(-1, 7, { clock_out_at: at(-0.51) }), NOW)).toBe(false);
    expect(isReopenable(shift(-1, 7), NOW)).toBe(false);
  });

  it('may choose between the shift that ends and the one that begins, the nearest start first', () => {
    const ending = shift(-7.5, 0.5);
    const beginning = shift(0.5, 8.5);
    expect(standingOf([ending, beginning], NOW)).toMatchObject({ fitting: [beginning, ending] });
  });

  it('waits where the shift of today opens later, and has none where it is tomorrow', () => {
    const today = shift(6, 14);
    expect(standingOf([today], NOW)).toMatchObject({ fitting: [], next: today });
    expect(standingOf([shift(24, 32)], NOW)).toMatchObject({ fitting: [], next: undefined });
  });
});

describe('events that wait on the device', () => {
  it('count as if they were stored, by the server’s clock', () => {
    const only = shift(-1, 7);
    const clockIn = event('in', only, { deviceAt: NOW + 3_600_000, offsetMs: -3_600_000 });
    const [known] = withEvents([only], [clockIn]);
    expect(known).toMatchObject({ clock_in_at: at(0), waiting: 'in' });
    expect(standingOf(withEvents([only], [clockIn]), NOW).state).toBe('in');
    const both = withEvents([only], [clockIn, event('out', only, { enteredAt: NOW - 60_000 })]);
    expect(standingOf(both, NOW)).toMatchObject({ state: 'out', fitting: [], last: both[0] });
    const undone = withEvents(both, [event('reopen', only)]);
    expect(standingOf(undone, NOW)).toMatchObject({ state: 'in', shift: { waiting: 'reopen' } });
  });
});
