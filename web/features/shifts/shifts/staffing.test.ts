import { expect, it } from 'vitest';
import { describeAbsence, describeAbsences, describeDraft, shiftCount } from './staffing.ts';

it.each([
  [undefined, { on_leave: 0, no_shows: 0 }],
  ['1 on approved leave', { on_leave: 1, no_shows: 0 }],
  ['2 on approved leave, 1 no-show', { on_leave: 2, no_shows: 1 }],
  ['3 no-shows', { on_leave: 0, no_shows: 3 }],
])('absences of a shift: %s', (text, shift) => {
  expect(describeAbsences(shift)).toBe(text);
});

it.each([
  [undefined, { status: 'confirmed', on_leave: false }],
  ['On approved leave', { status: 'completed', on_leave: true }],
  ['No-show', { status: 'no_show', on_leave: true }],
  [undefined, { status: 'cancelled', on_leave: true }],
] as const)('absence of an assigned guard: %s', (text, assignment) => {
  expect(describeAbsence(assignment)).toBe(text);
});

it.each([
  [undefined, undefined],
  ['planned: Trokon Goll, draft', { planned: ['Trokon Goll'], removed: [] }],
  ['no longer: Musu Kai, draft', { planned: [], removed: ['Musu Kai'] }],
  ['planned: A, B and 2 more; no longer: E, draft', { planned: [...'ABCD'], removed: ['E'] }],
])('what the draft changes: %s', (text, guards) => {
  expect(describeDraft(guards)).toBe(text);
});

it('groups the digits of shift counts', () => {
  expect([1, 21, 1314].map(shiftCount)).toEqual(['1 shift', '21 shifts', '1,314 shifts']);
});
