// The requests that the search and the filters leave, as a CSV file.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { STATUS_LABELS, TYPE_LABELS } from '../labels.ts';
import type { LeaveFilters, LeaveRow } from '../schema.ts';
import { leaveQuery } from './list-leave.ts';

const COLUMNS: CsvColumn<LeaveRow>[] = [
  { heading: 'Person', value: (row) => row.person_name },
  { heading: 'Type', value: (row) => TYPE_LABELS[row.type] },
  { heading: 'Start Date', value: (row) => row.start_date },
  { heading: 'End Date', value: (row) => row.end_date },
  { heading: 'Days', value: (row) => row.days },
  { heading: 'Reason', value: (row) => row.reason },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Note', value: (row) => row.decision_note },
  { heading: 'Decided By', value: (row) => row.decided_by_name },
];

export async function exportLeave(filters: LeaveFilters): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await leaveQuery(filters).range(from, to).throwOnError();
    return data;
  });
  await downloadCsv('leave-requests', COLUMNS, rows);
}
