// The incidents that the search and the filters leave, as a CSV file.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { toLocalInput } from '#web/lib/format/dates.ts';
import { CATEGORY_LABELS, SEVERITY_LABELS, STATUS_LABELS } from '../labels.ts';
import type { IncidentFilters, IncidentRow } from '../schema.ts';
import { incidentQuery } from './list-incidents.ts';
import { incidentFilters } from './search-filters.ts';

const COLUMNS: CsvColumn<IncidentRow>[] = [
  { heading: 'Reported', value: (row) => toLocalInput(row.created_at).replace('T', ' ') },
  { heading: 'Title', value: (row) => row.title },
  { heading: 'Site', value: (row) => row.sites.name },
  { heading: 'Category', value: (row) => CATEGORY_LABELS[row.category] },
  { heading: 'Severity', value: (row) => SEVERITY_LABELS[row.severity] },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Description', value: (row) => row.description },
  { heading: 'Evidence', value: (row) => row.evidence.length },
];

export async function exportIncidents(filters: IncidentFilters): Promise<void> {
  const found = await incidentFilters(filters.q ?? '');
  const rows = await everyRow(async (from, to) => {
    const { data } = await incidentQuery(filters, found).range(from, to).throwOnError();
    return data;
  });
  await downloadCsv('incidents', COLUMNS, rows);
}
