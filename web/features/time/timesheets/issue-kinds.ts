// What somebody must solve in a timesheet before it is approved, and how.

import { flagLabel } from '#shared/attendance-flags.ts';
import { TIME_DECISIONS_KIND } from '#shared/database.values.ts';

/**
 * `correct`: the record of attendance lacks a time; `review`: the record has exceptions to resolve; `decide`: to pay or
 * not to pay; `accept`: to take note of; `answer`: what a guard says about a day.
 */
type Way = 'correct' | 'review' | 'decide' | 'accept' | 'answer';

/** Those about records that the screens name; all others are flags of attendance. */
const KINDS = {
  missing_clock_in: { label: 'No clock-in', way: 'correct' },
  missing_clock_out: { label: 'No clock-out', way: 'correct' },
  stayed_on: { label: 'Stayed on', way: 'decide' },
  overtime: { label: 'Overtime above the roster', way: 'decide' },
  rest_override: { label: 'Rest was overridden', way: 'accept' },
  dispute: { label: 'Dispute', way: 'answer' },
  review: { label: 'To review', way: 'review' },
} as const satisfies Record<string, { label: string; way: Way }>;

const isKnown = (kind: string): kind is keyof typeof KINDS => kind in KINDS;

export const issueLabel = (kind: string): string =>
  isKnown(kind) ? KINDS[kind].label : flagLabel(kind);

export const findWay = (kind: string): Way => (isKnown(kind) ? KINDS[kind].way : 'review');

/** Kinds of the filter, the most common first. */
export const ISSUE_FILTER = [
  'missing_clock_out',
  'missing_clock_in',
  'outside_fence',
  'no_location',
  'stayed_on',
  'overtime',
  'rest_override',
  'dispute',
] as const;

export type DecisionKind = (typeof TIME_DECISIONS_KIND)[number];
export const isDecision = (kind: string): kind is DecisionKind =>
  TIME_DECISIONS_KIND.some((each) => each === kind);

type Issue = { timesheet_id: string; day: string; kind: string; attendance_id: string | null };

/**
 * Issues by timesheet, in order of days. Several flags of one record are one thing to solve: the first one stays, and
 * `also` has the kinds of the others.
 */
export function issuesBySheet<Row extends Issue>(rows: readonly Row[]) {
  const sheets = new Map<string, (Row & { also: string[] })[]>();
  for (const row of rows) {
    const known = sheets.get(row.timesheet_id) ?? [];
    const same = known.find(
      (other) =>
        row.attendance_id !== null &&
        other.attendance_id === row.attendance_id &&
        findWay(row.kind) === 'review' &&
        findWay(other.kind) === 'review',
    );
    if (same) same.also.push(row.kind);
    else known.push({ ...row, also: [] });
    sheets.set(row.timesheet_id, known);
  }
  return sheets;
}
