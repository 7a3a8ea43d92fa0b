// A supervisor's correction: of a record that exists, whose first version the database keeps, or adding a missing one.

import { existing, useChange } from '#web/lib/data/records.ts';
import { fromLocalInput } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { attendanceKey } from '../../../lib/data/keys.ts';
import type { AttendanceRow, Correction } from '../schema.ts';

type Change = {
  row: Pick<AttendanceRow, 'assignment_id' | 'attendance_id' | 'timezone'>;
  form: Correction;
};

async function correctAttendance({ row, form }: Change): Promise<void> {
  const clock_in_at = fromLocalInput(form.clock_in, row.timezone);
  if (clock_in_at === undefined) throw new Error('This is no date and time');
  const times = {
    clock_in_at,
    clock_out_at: fromLocalInput(form.clock_out, row.timezone) ?? null,
    correction_reason: form.reason,
  };
  if (row.attendance_id === null) {
    await supabase()
      .from('attendance')
      .insert({ ...times, assignment_id: row.assignment_id })
      .throwOnError();
    return;
  }
  const { data } = await supabase()
    .from('attendance')
    .update(times)
    .eq('id', row.attendance_id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'record');
}

export function useCorrectAttendance() {
  return useChange(attendanceKey, correctAttendance);
}
