// What the search and the filters leave, as a CSV file; times are those of each site.
import { flagLabel } from '#shared/attendance-flags.ts';
import { type CsvColumn, downloadCsv } from '#web/lib/files/csv.ts';
import { toLocalInput } from '#web/lib/format/dates.ts';
import { presenceOf } from '../presence.ts';
import { type AttendanceFilters, type AttendanceRow, shownDay } from '../schema.ts';
import { everyAttendance } from './list-attendance.ts';

const local = (at: string | null, { timezone }: AttendanceRow): string =>
  at === null ? '' : toLocalInput(at, timezone).replace('T', ' ');

const COLUMNS: CsvColumn<AttendanceRow>[] = [
  { heading: 'Guard', value: (row) => row.guard_name },
  { heading: 'Role', value: (row) => row.role_at_shift },
  { heading: 'Site', value: (row) => row.site_name },
  { heading: 'Client', value: (row) => row.client_name },
  { heading: 'Time Zone', value: (row) => row.timezone },
  { heading: 'Shift Start', value: (row) => local(row.start_time, row) },
  { heading: 'Shift End', value: (row) => local(row.end_time, row) },
  { heading: 'Clock In', value: (row) => local(row.clock_in_at, row) },
  { heading: 'Clock Out', value: (row) => local(row.clock_out_at, row) },
  { heading: 'Late Minutes', value: (row) => row.late_minutes },
  { heading: 'Early Minutes', value: (row) => row.early_minutes },
  { heading: 'Metres Outside', value: (row) => row.outside_m },
  { heading: 'State', value: (row) => presenceOf(row).label },
  { heading: 'Exceptions', value: (row) => row.flags.map(flagLabel).join('; ') },
  { heading: 'To Review', value: (row) => (row.needs_review ? 'Yes' : 'No') },
];

export async function exportAttendance(filters: AttendanceFilters): Promise<void> {
  const name = `attendance-${shownDay(filters) ?? filters.state}`;
  await downloadCsv(name, COLUMNS, await everyAttendance(filters));
}
