import { describe, expect, it } from 'vitest';
import type { Guard, Shift } from './operations-schema.ts';
import { holdsSeat, listSeats, outlookOf } from './seat-states.ts';

const NOW = Date.parse('2026-03-02T02:00:00Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

const guard = (change: Partial<Guard> = {}): Guard => ({
  assignment_id: 'a',
  user_id: 'u',
  name: 'James Kollie',
  phone: null,
  role: 'Guard',
  status: 'assigned',
  on_leave: false,
  expected: '',
  joins: null,
  clock_in: null,
  clock_out: null,
  way: null,
  late_minutes: 0,
  early_minutes: 0,
  left_early: false,
  distance_m: null,
  flags: [],
  heard: null,
  waiting: 0,
  ...change,
});

type Facts = {
  from: number;
  needed?: number;
  to?: number;
  guards?: Guard[];
  empty?: number;
  alert?: Shift['alerts'][number]['kind'];
};

/** States of the seats of a shift that begins and ends so many minutes from now. */
function statesOf({ from, needed, to = from + 720, guards = [], empty = 0, alert }: Facts) {
  const shift: Shift = {
    id: 's',
    site_id: 'site',
    post_id: null,
    post: null,
    starts: at(from),
    ends: at(to),
    needed: needed ?? guards.length + empty,
    empty,
    guards: guards.map((one) => ({ ...one, expected: one.expected || at(from) })),
    alerts: alert === undefined ? [] : [{ id: 'l', kind: alert, assignment_id: 'a' }],
  };
  return listSeats({ shift, site: { alert_after_minutes: 10 } }, NOW).map(({ state }) => state);
}

describe('a guard who has not clocked in is', () => {
  it.each([
    ['not confirmed before the start', 60, ['unconfirmed']],
    ['nothing yet, more than two hours before', 121, ['done']],
    ['late from the start', 0, ['late']],
    ['late until the minutes of the site', -9, ['late']],
    ['missing after them', -10, ['missing']],
    ['missing in a night that began yesterday', -600, ['missing']],
    ['over after the end', -721, ['done']],
  ])('%s', (_what, from, states) => {
    expect(statesOf({ from, guards: [guard()] })).toEqual(states);
  });
});

it('a guard who has confirmed is due before the start, and late like others after it', () => {
  const confirmed = guard({ status: 'confirmed' });
  expect(statesOf({ from: 60, guards: [guard(), confirmed] })).toEqual(['unconfirmed', 'due']);
  expect(statesOf({ from: -1, guards: [confirmed] })).toEqual(['late']);
});

it('a guard assigned to a running shift has the same minutes from then on', () => {
  const at5 = guard({ expected: at(-5) });
  const at11 = guard({ expected: at(-11) });
  expect(statesOf({ from: -300, guards: [at5] })).toEqual(['late']);
  expect(statesOf({ from: -300, guards: [at11] })).toEqual(['missing']);
});

it('nobody has left early where the shift has its guards again', () => {
  const gone = guard({ clock_in: at(-300), clock_out: at(-60), left_early: true });
  const relief = guard({ assignment_id: 'b', clock_in: at(-60) });
  expect(statesOf({ from: -300, guards: [gone, relief] })).toEqual(['left_early', 'on_post']);
  expect(statesOf({ from: -300, needed: 1, guards: [gone, relief] })).toEqual(['on_post', 'done']);
});

describe('a guard who has clocked in is', () => {
  const on = { clock_in: at(-300) };
  it('on post until the end', () => {
    expect(statesOf({ from: -300, guards: [guard(on)] })).toEqual(['on_post']);
    expect(statesOf({ from: -300, to: 0, guards: [guard(on)] })).toEqual(['done']);
  });
  it('gone early only while the shift runs', () => {
    const gone = guard({ ...on, clock_out: at(-60), left_early: true });
    expect(statesOf({ from: -300, guards: [gone] })).toEqual(['left_early']);
    expect(statesOf({ from: -300, to: -5, guards: [gone] })).toEqual(['done']);
  });
  it.each<[Facts['alert'], string]>([
    ['welfare', 'no_signal'],
    ['no_signal', 'no_signal'],
    ['sos', 'sos'],
    ['tour', 'on_post'],
  ])('with an open alert of kind %s: %s', (alert, state) => {
    expect(statesOf({ from: -300, guards: [guard(on)], alert })).toEqual([state]);
  });
});

it('an SOS counts whenever the shift was', () => {
  expect(statesOf({ from: -800, to: -60, guards: [guard()], alert: 'sos' })).toEqual(['sos']);
});

it('seats come the gravest first, empty ones too', () => {
  const present = guard({ assignment_id: 'b', clock_in: at(-30) });
  const states = statesOf({ from: -30, guards: [present, guard()], empty: 2 });
  expect(states).toEqual(['missing', 'empty', 'empty', 'on_post']);
});

it('a guard on leave or marked as no-show holds no seat', () => {
  expect(
    [{ on_leave: true }, { status: 'no_show' }, {}].map((one) => holdsSeat(guard(one))),
  ).toEqual([false, false, true]);
});

describe('a seat of the next watch', () => {
  const outlook = (starts: number, change?: Partial<Guard>) =>
    outlookOf(
      { state: 'done', isOnPost: false, ...(change && { guard: guard(change) }) },
      NOW + starts * 60_000,
      NOW,
    );

  it.each([
    ['confirmed', 300, { status: 'confirmed' }, 'confirmed'],
    ['not confirmed', 300, { status: 'assigned' }, 'unconfirmed'],
    ['empty', 300, undefined, 'empty'],
    ['none any more once it has begun', 0, { status: 'assigned' }, undefined],
    ['none for a guard who has clocked in early', 10, { clock_in: at(-5) }, undefined],
  ] as const)('is %s', (_what, starts, change, expected) => {
    expect(outlook(starts, change)).toBe(expected);
  });
});
