// The deployments that the search and the filter leave, as a CSV file; times in company time.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { toLocalInput, zoneName } from '#web/lib/format/dates.ts';
import type { Deployment, DeploymentSearch } from '../schema.ts';
import { STATUS_LABELS } from '../status.ts';
import { deploymentsQuery } from './list-deployments.ts';

const time = (instant: string) => toLocalInput(instant).replace('T', ' ');

const COLUMNS: CsvColumn<Deployment>[] = [
  { heading: 'Guard Name', value: (row) => row.guard_name },
  { heading: 'Location', value: (row) => row.location },
  { heading: 'Client Name', value: (row) => row.client_name },
  { heading: `Shift Start (${zoneName} time)`, value: (row) => time(row.shift_start) },
  { heading: `Shift End (${zoneName} time)`, value: (row) => time(row.shift_end) },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Notes', value: (row) => row.notes },
];

export async function exportDeployments(
  filters: Pick<DeploymentSearch, 'q' | 'status'>,
): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await deploymentsQuery(filters).range(from, to).throwOnError();
    return data;
  });
  await downloadCsv('deployments', COLUMNS, rows);
}
