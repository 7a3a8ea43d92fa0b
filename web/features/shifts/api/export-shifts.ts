// The shifts that the search and the filters leave, as a CSV file; hours by each site's clock.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { toLocalInput } from '#web/lib/format/dates.ts';
import type { Shift } from '../schema.ts';
import { STAFFING_LABELS, staffingOf } from '../staffing.ts';
import { type ShiftFilters, shiftsQuery } from './list-shifts.ts';

const at = (instant: string, zone: string) => toLocalInput(instant, zone).replace('T', ' ');

const COLUMNS: CsvColumn<Shift>[] = [
  { heading: 'Start', value: (row) => at(row.start_time, row.timezone) },
  { heading: 'End', value: (row) => at(row.end_time, row.timezone) },
  { heading: 'Time Zone', value: (row) => row.timezone },
  { heading: 'Site', value: (row) => row.site_name },
  { heading: 'Client', value: (row) => row.client_name },
  { heading: 'Assigned', value: (row) => row.assigned },
  { heading: 'Required', value: (row) => row.required_headcount },
  { heading: 'Status', value: (row) => STAFFING_LABELS[staffingOf(row)] },
  { heading: 'Notes', value: (row) => row.notes },
];

export async function exportShifts(filters: ShiftFilters): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await shiftsQuery(filters).range(from, to).throwOnError();
    return data;
  });
  await downloadCsv('shifts', COLUMNS, rows);
}
