// The records that the search and the filters leave, as a CSV file.
import { type CsvColumn, downloadCsv } from '#web/lib/files/csv.ts';
import { ROLE_LABELS, STATUS_LABELS } from '../labels.ts';
import type { PayrollRow } from '../schema.ts';
import { everyPayroll } from './every-payroll.ts';
import type { PayrollFilters } from './list-payroll.ts';

const COLUMNS: CsvColumn<PayrollRow>[] = [
  { heading: 'Staff Name', value: (row) => row.staff.full_name },
  { heading: 'Role', value: (row) => ROLE_LABELS[row.staff.role] },
  { heading: 'Period Start', value: (row) => row.period_start },
  { heading: 'Period End', value: (row) => row.period_end },
  { heading: 'Base Amount', value: (row) => row.base_amount.toFixed(2) },
  { heading: 'Deductions', value: (row) => row.deductions.toFixed(2) },
  { heading: 'Bonuses', value: (row) => row.bonuses.toFixed(2) },
  { heading: 'Net Amount', value: (row) => row.net_amount.toFixed(2) },
  { heading: 'Payment Date', value: (row) => row.payment_date },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.payment_status] },
  { heading: 'Notes', value: (row) => row.notes },
];

export async function exportPayroll(filters: PayrollFilters): Promise<void> {
  await downloadCsv('payroll', COLUMNS, await everyPayroll(filters));
}
