import { expect, it } from 'vitest';
import { exceptionsText, findPresence } from './attendance-states.ts';

const NONE = {
  status: 'assigned',
  states: [],
  clock_in_at: null,
  clock_out_at: null,
  on_leave: false,
};
const IN = { ...NONE, clock_in_at: '2026-11-21T06:00:00Z' };

it.each([
  ['Expected', NONE],
  ['Missing clock-in', { ...NONE, states: ['missing', 'issues'] }],
  ['No-show', { ...NONE, status: 'no_show', states: ['issues'] }],
  ['On approved leave', { ...NONE, on_leave: true, states: ['issues'] }],
  ['In', { ...IN, on_leave: true, states: ['in'] }],
  ['Cancelled', { ...NONE, status: 'cancelled' }],
  ['In', { ...IN, states: ['in'] }],
  ['In', { ...IN, states: ['in', 'issues'] }],
  ['Missing clock-out', { ...IN, states: ['forgotten', 'issues'] }],
  ['Out', { ...IN, clock_out_at: '2026-11-21T18:00:00Z' }],
])('a guard is shown as %s', (label, facts) => {
  expect(findPresence(facts).label).toBe(label);
});

it('files and the day sheet tell why a guard did not come', () => {
  const flags = ['no_location'];
  expect(exceptionsText({ flags: [], no_show_reason: 'Phone is off' })).toBe(
    'Did not come: Phone is off',
  );
  expect(exceptionsText({ flags, no_show_reason: null })).toBe('No location');
  expect(exceptionsText({ flags: [], no_show_reason: null })).toBe('');
});
