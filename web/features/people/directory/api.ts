import { formatPhone } from '#shared/phone.ts';
import { peopleKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { MISSING_LABELS, type PersonRow } from './schema.ts';
import type { PeopleSearch } from './search.ts';

type PeopleFilters = Pick<PeopleSearch, 'q' | 'role' | 'state' | 'missing' | 'sort'>;

const SORTS = { name: 'name', next: 'next_start' };

function peopleQuery({ q = '', role, state, missing, sort }: PeopleFilters) {
  let query = supabase().from('people_list').select('*', { count: 'exact' });
  if (state === undefined) query = query.neq('state', 'left');
  else if (state !== 'everybody') query = query.eq('state', state);
  if (role) query = query.contains('roles', [role]);
  if (missing === 'any') query = query.not('missing', 'eq', '{}');
  else if (missing) query = query.contains('missing', [missing]);
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  const { column, ascending } = parseOrder(sort, SORTS, { column: 'name', ascending: true });
  return query
    .order(column, { ascending, nullsFirst: false })
    .order('name')
    .order('id')
    .returns<PersonRow[]>();
}

/** @returns for example "Guard, Supervisor (Freeport Container Yard)" */
export function rolesOf({ roles, supervised_sites }: PersonRow): string {
  return roles
    .map((role) =>
      role === 'supervisor'
        ? `${ROLE_LABELS[role]} (${supervised_sites ?? 'all sites'})`
        : ROLE_LABELS[role],
    )
    .join(', ');
}

export const missingOf = ({ missing }: PersonRow) =>
  missing.map((what) => MISSING_LABELS[what]).join(', ');

const COLUMNS: TableColumn<PersonRow>[] = [
  { heading: 'Name', value: (row) => row.name },
  { heading: 'Phone', value: (row) => row.phone && formatPhone(row.phone) },
  { heading: 'Email', value: (row) => row.email },
  { heading: 'Roles', value: rolesOf },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.state] },
  { heading: 'Last Day', kind: 'day', value: (row) => row.left_on },
  { heading: 'Next Duty', kind: 'time', value: (row) => row.next_start },
  { heading: 'Site', value: (row) => row.next_site },
  { heading: 'Missing', value: missingOf },
];

export const peopleList = listQueries('people', {
  key: peopleKey,
  tables: ['profiles', 'assignments'],
  filters: ['q', 'role', 'state', 'missing', 'sort'],
  rows: peopleQuery,
  columns: COLUMNS,
});
