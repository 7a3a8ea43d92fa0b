import { flagLabel } from '#shared/attendance-flags.ts';
import { CLOCK_OUT_GRACE_MINUTES } from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';

/** Values of the database column `states`, in display order. */
export const STATES = [
  'in',
  'forgotten',
  'late',
  'missing',
  'outside',
  'no_location',
  'late_sent',
  'by_guard',
  'review',
  'issues',
] as const;
export type AttendanceState = (typeof STATES)[number];

export const STATE_LABELS: Record<AttendanceState, string> = {
  in: 'In now',
  forgotten: 'Forgotten clock-outs',
  late: 'Came late',
  missing: 'Missing',
  outside: 'Outside the fence',
  no_location: 'No location',
  late_sent: 'Sent late',
  by_guard: 'Entered by the guard',
  review: 'To review',
  issues: 'Open issues',
};

export const STATE_HINTS: Record<AttendanceState, string> = {
  in: 'clocked in and not out',
  forgotten: `not clocked out ${CLOCK_OUT_GRACE_MINUTES} minutes after the end of the shift`,
  late: 'clocked in after the start of the shift',
  missing:
    'not clocked in when the minutes of the site for an alert are over; no-shows are decided',
  outside: 'farther than allowed',
  no_location: 'with a reason',
  late_sent: 'phone was offline',
  by_guard: 'clock-out time',
  review: 'exceptions to resolve',
  issues:
    'as on the dashboard: no clock-in since the start, or no clock-out since the end, decided or not',
};

/** Open work: unless a day is chosen, these states list every day. */
export const WORKLISTS: readonly AttendanceState[] = ['review', 'issues'];

/** States that mean a post may be empty, or a record is wrong. */
export const URGENT_STATES: readonly AttendanceState[] = ['forgotten', 'missing', 'issues'];

export type Presence = { label: string; tone: Tone };

type Row = Database['public']['Views']['attendance_overview']['Row'];

type Facts = Pick<Row, 'status' | 'states' | 'clock_in_at' | 'clock_out_at' | 'on_leave'>;

/** Label and tone of a row's badge. Lateness is decided in the database, which has the current time. */
export function findPresence({
  status,
  states,
  clock_in_at,
  clock_out_at,
  on_leave,
}: Facts): Presence {
  const isIssue = states.includes('issues');
  if (clock_out_at !== null) return { label: 'Out', tone: 'grey' };
  if (clock_in_at !== null) {
    return states.includes('forgotten')
      ? { label: 'Missing clock-out', tone: 'red' }
      : { label: 'In', tone: 'green' };
  }
  if (status === 'cancelled') return { label: 'Cancelled', tone: 'grey' };
  if (status === 'no_show') return { label: 'No-show', tone: 'red' };
  if (on_leave) return { label: 'On approved leave', tone: 'grey' };
  return isIssue ? { label: 'Missing clock-in', tone: 'red' } : { label: 'Expected', tone: 'blue' };
}

/** @returns for files and on paper: what is odd about the record, or why the guard did not come */
export const exceptionsText = ({ flags, no_show_reason }: Pick<Row, 'flags' | 'no_show_reason'>) =>
  [...flags.map(flagLabel), no_show_reason && `Did not come: ${no_show_reason}`]
    .filter(Boolean)
    .join('; ');
