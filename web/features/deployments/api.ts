import { deploymentsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { CARDS_PAGE } from '#web/lib/data/pages.ts';
import { recordHooks, withAuthor } from '#web/lib/data/records.ts';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import type { CsvColumn } from '#web/lib/files/csv.ts';
import { formatCsvTime, zoneName } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import {
  type Deployment,
  type DeploymentSearch,
  deploymentSchema,
  formOf,
  rowOf,
} from './schema.ts';

export const deployments = recordHooks({
  table: 'deployments',
  key: deploymentsKey,
  name: 'deployment',
  order: [{ column: 'shift_start', ascending: false }],
  schema: deploymentSchema,
  formOf,
  toColumns: rowOf,
  toNewRow: withAuthor,
});

type Filters = Pick<DeploymentSearch, 'q' | 'status'>;

function deploymentsQuery({ q = '', status }: Filters) {
  let query = supabase().from('deployments').select('*', { count: 'exact' });
  if (status) query = query.eq('status', status);
  for (const filter of searchFilters(['guard_name', 'location', 'client_name'], q)) {
    query = query.or(filter);
  }
  return query.order('shift_start', { ascending: false }).order('id');
}

const CSV_COLUMNS: CsvColumn<Deployment>[] = [
  { heading: 'Guard Name', value: (row) => row.guard_name },
  { heading: 'Location', value: (row) => row.location },
  { heading: 'Client Name', value: (row) => row.client_name },
  { heading: `Shift Start (${zoneName} time)`, value: (row) => formatCsvTime(row.shift_start) },
  { heading: `Shift End (${zoneName} time)`, value: (row) => formatCsvTime(row.shift_end) },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Notes', value: (row) => row.notes },
];

export const deploymentList = listQueries({
  key: deploymentsKey,
  tables: 'deployments',
  filters: ['q', 'status'],
  rows: deploymentsQuery,
  file: 'deployments',
  columns: CSV_COLUMNS,
  pageSize: CARDS_PAGE,
});
