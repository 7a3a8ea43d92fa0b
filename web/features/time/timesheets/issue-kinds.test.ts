import { expect, it } from 'vitest';
import { findWay, issueLabel, issuesBySheet } from './issue-kinds.ts';

const issue = (timesheet_id: string, kind: string, attendance_id: string | null) => ({
  timesheet_id,
  day: '2026-10-05',
  kind,
  attendance_id,
});

it('flags of one record are one thing to solve', () => {
  const sheets = issuesBySheet([
    issue('a', 'no_location', 'first'),
    issue('a', 'outside_fence', 'first'),
    issue('a', 'outside_fence', 'second'),
    issue('b', 'outside_fence', 'third'),
  ]);
  expect(
    sheets.get('a')?.map(({ kind, attendance_id, also }) => [kind, attendance_id, also]),
  ).toEqual([
    ['no_location', 'first', ['outside_fence']],
    ['outside_fence', 'second', []],
  ]);
  expect(sheets.get('b')).toHaveLength(1);
});

it('a decision and a review of one record are two', () => {
  const kinds = ['outside_fence', 'stayed_on', 'missing_clock_out'];
  const sheets = issuesBySheet(kinds.map((kind) => issue('a', kind, 'first')));
  expect(sheets.get('a')?.map(({ kind }) => kind)).toEqual(kinds);
});

it('issues without a record stay apart', () => {
  const sheets = issuesBySheet([issue('a', 'dispute', null), issue('a', 'review', null)]);
  expect(sheets.get('a')).toHaveLength(2);
});

it('a flag of a newer server is reviewed and named as it is', () => {
  expect([findWay('new_flag'), issueLabel('new_flag')]).toEqual(['review', 'new flag']);
});
