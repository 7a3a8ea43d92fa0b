import { describe, expect, it } from 'vitest';
import type { ClockShift } from './clock-event.ts';
import { findDutyStatus } from './duty-status.ts';
import { findTiming, shortSiteName } from './duty-timing.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const MINUTE = 60_000;

/** A shift that starts and ends this many minutes from now. */
function shift(from: number, to: number, clockedIn?: number): ClockShift {
  const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString();
  return {
    assignment_id: '00000000-0000-4000-8000-000000000001',
    site_id: '00000000-0000-4000-8000-000000000000',
    site_name: 'Freeport Gate',
    client_name: 'Client',
    address: 'Monrovia',
    timezone: 'Africa/Monrovia',
    latitude: null,
    longitude: null,
    geofence_radius_m: 200,
    start_time: at(from),
    end_time: at(to),
    attendance_id: null,
    clock_in_at: clockedIn === undefined ? null : at(clockedIn),
    clock_out_at: null,
    flags: null,
  };
}

describe('the time that is felt', () => {
  const cases: [string, ClockShift, number, string | undefined, boolean][] = [
    ['before the start', shift(20, 500), 0, 'Starts in 20 min', false],
    ['rounded up to the start', shift(20, 500), 19 * MINUTE + 1, 'Starts in 1 min', false],
    ['at the start', shift(0, 480), 30_000, 'Starts now', false],
    ['after the start', shift(-37, 443), 0, 'You are 37 min late', true],
    ['hours late', shift(-125, 443), 0, 'You are 2 h 5 min late', true],
    [
      'before clock-in opens',
      shift(300, 780),
      0,
      'Starts in 5 h. Clock-in opens at 1:00 PM',
      false,
    ],
    ['on post', shift(-200, 360, -192), 0, 'On post 3 h 12 min, ends 6:00 PM', false],
    ['overdue', shift(-500, -30, -500), 0, 'Your shift ended at 11:30 AM', false],
    ['forgotten', shift(-900, -400, -900), 0, undefined, false],
  ];
  it.each(cases)('%s', (_, only, later, text, isLate) => {
    const timing = findTiming(findDutyStatus([only], NOW + later), NOW + later);
    expect(timing).toEqual(text === undefined ? undefined : { text, isLate });
  });
});

it.each([
  ['Freeport Gate', 'Freeport Gate'],
  ['Freeport Container Yard', 'Freeport'],
  ['Embassy Residence, Mamba Point', 'Embassy'],
  ['Trade Office, Sinkor', 'Trade Office'],
  ['Internationalisation', 'Internationalisation'],
])('%s is short for a button: %s', (name, short) => {
  expect(shortSiteName(name)).toBe(short);
});
