// The staff that the search and the filter leave, as a CSV file.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { FREQUENCY_LABELS, ROLE_LABELS, STATUS_LABELS } from '../labels.ts';
import type { StaffRow, StaffSearch } from '../schema.ts';
import { staffQuery } from './list-staff.ts';

const COLUMNS: CsvColumn<StaffRow>[] = [
  { heading: 'Name', value: (row) => row.full_name },
  { heading: 'Email', value: (row) => row.email },
  { heading: 'Phone', value: (row) => row.phone },
  { heading: 'Role', value: (row) => ROLE_LABELS[row.role] },
  { heading: 'Hire Date', value: (row) => row.hire_date },
  { heading: 'Salary', value: (row) => row.salary_amount.toFixed(2) },
  { heading: 'Frequency', value: (row) => FREQUENCY_LABELS[row.payment_frequency] },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
];

export async function exportStaff(
  filters: Pick<StaffSearch, 'q' | 'status' | 'sort'>,
): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await staffQuery(filters).range(from, to).throwOnError();
    return data;
  });
  await downloadCsv('staff', COLUMNS, rows);
}
