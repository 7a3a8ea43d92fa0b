// Where somebody is in their shift, in two words and a colour.
import type { Presence } from './labels.ts';
import type { AttendanceRow } from './schema.ts';

type Facts = Pick<AttendanceRow, 'status' | 'states' | 'clock_in_at' | 'clock_out_at' | 'on_leave'>;

/** @returns what the row's badge says; the states are the database's, which knows what time it is */
export function presenceOf({
  status,
  states,
  clock_in_at,
  clock_out_at,
  on_leave,
}: Facts): Presence {
  const isIssue = states.includes('issues');
  if (clock_out_at !== null) return { label: 'Out', tone: 'grey' };
  if (clock_in_at !== null) {
    return isIssue ? { label: 'Missing clock-out', tone: 'red' } : { label: 'In', tone: 'green' };
  }
  if (status === 'cancelled') return { label: 'Cancelled', tone: 'grey' };
  if (status === 'no_show') return { label: 'No-show', tone: 'red' };
  if (on_leave) return { label: 'On approved leave', tone: 'grey' };
  return isIssue ? { label: 'Missing clock-in', tone: 'red' } : { label: 'Expected', tone: 'blue' };
}
