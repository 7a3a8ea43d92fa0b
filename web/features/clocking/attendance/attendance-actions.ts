import { CheckCheck, LogOut } from 'lucide-react';
import type { BulkActions } from '#web/components/list/list-actions.ts';
import { clockOutAtShiftEnd, resolveRecords } from '#web/lib/data/attendance-changes.ts';
import type { AttendanceRow } from './schema.ts';

const recordIds = (rows: AttendanceRow[]) =>
  rows.flatMap(({ attendance_id }) => (attendance_id === null ? [] : [attendance_id]));

/** @param me id of the user, who can't correct or resolve their own attendance */
export const attendanceActions = (me: string | undefined): BulkActions<AttendanceRow> => ({
  noun: ['attendance record', 'attendance records'],
  nameOf: (row) => `${row.guard_name}, ${row.site_name}`,
  actions: [
    {
      label: 'Clock out at shift end',
      icon: LogOut,
      appliesTo: ({ states, user_id }) => states.includes('forgotten') && user_id !== me,
      leftOut: 'clocked out, on a shift that is not over, or your own attendance',
      fields: [
        {
          kind: 'text',
          name: 'reason',
          label: 'Reason',
          hint: 'It stays with each record.',
          most: 1000,
          initial: 'Forgot to clock out',
          suggestions: ['Forgot to clock out', 'Phone was flat', 'Confirmed by the client'],
        },
      ],
      run: (rows, { reason = '' }) => clockOutAtShiftEnd(recordIds(rows), reason),
      done: 'clocked out at shift end',
    },
    {
      label: 'Resolve',
      icon: CheckCheck,
      appliesTo: ({ needs_review, user_id }) => needs_review && user_id !== me,
      leftOut: 'nothing to review, or your own attendance',
      fields: [
        {
          kind: 'text',
          name: 'resolution',
          label: 'How the exceptions were resolved',
          hint: 'For example: seen at the gate, the phone had no signal.',
          most: 1000,
        },
      ],
      run: (rows, { resolution = '' }) => resolveRecords(recordIds(rows), resolution),
      done: 'resolved',
    },
  ],
});
