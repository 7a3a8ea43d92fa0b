import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Database } from '#shared/database.types.ts';
import { incidentsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { toInstants } from '#web/lib/data/log-page.ts';
import { fetchNameOf } from '#web/lib/data/lookups.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { formatCsvTime } from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import {
  findName,
  type Incident,
  type IncidentDetails,
  type IncidentRow,
  type StatusChange,
} from './schema.ts';
import type { IncidentFilters, Queue } from './search.ts';

/** Severity and status sort by rank, not by name. */
const SORTS = {
  title: 'title',
  site: 'sites(name)',
  severity: 'severity_rank',
  status: 'status_rank',
  due: 'due_at',
  reported: 'created_at',
};
const ACTIVE = ['open', 'investigating'] as const;
const NEWEST_FIRST = { column: 'created_at', ascending: false };
const MOST_URGENT_FIRST = { column: 'next_deadline', ascending: true };

/** By computed column; those that are closed wait for nothing. */
const QUEUE_FILTERS: Record<Queue, readonly [column: string, value: string]> = {
  review: ['review_state', '(waiting,answered)'],
  returned: ['review_state', '(returned)'],
  approve: ['has_letter_to_approve', '(true)'],
  late: ['is_late', '(true)'],
};

const LISTED =
  '*, review_state, next_deadline, sites(name), owner:profiles!incidents_owner_id_fkey(full_name, email), evidence(id)';
/** The result of a function is filtered by what is selected of it only. */
const FOUND = `${LISTED}, has_letter_to_approve, is_late` as const;

function incidentsQuery(filters: IncidentFilters) {
  const { q = '', status, severity, site, owner, queue, due, from, to, sort } = filters;
  let query = q
    ? supabase()
        .rpc('search_incidents', { p_search: q }, { count: 'exact', get: true })
        .select(FOUND)
    : supabase().from('incidents').select(LISTED, { count: 'exact' });
  if (site) query = query.eq('site_id', site);
  if (owner === 'none') query = query.is('owner_id', null);
  else if (owner) query = query.eq('owner_id', owner);
  // 'now' is the database's time.
  if (due) query = query.lt('due_at', 'now').in('status', ACTIVE);
  if (queue) {
    const [column, values] = QUEUE_FILTERS[queue];
    query = query.neq('status', 'closed').filter(column, 'in', values);
  }
  const { since, until } = toInstants({ from, to });
  if (since) query = query.gte('created_at', since);
  if (until) query = query.lt('created_at', until);
  if (status === 'active') query = query.in('status', ACTIVE);
  else if (status) query = query.eq('status', status);
  if (severity) query = query.eq('severity', severity);
  const { column, ascending } = parseOrder(sort, SORTS, queue ? MOST_URGENT_FIRST : NEWEST_FIRST);
  // Never null, and its index is read only in the usual order of nulls.
  const isByTime = column === NEWEST_FIRST.column;
  return query
    .order(column, { ascending, ...(!isByTime && { nullsFirst: false }) })
    .order('created_at', { ascending: false })
    .order('id')
    .returns<IncidentRow[]>();
}

const EXPORT_COLUMNS: TableColumn<IncidentRow>[] = [
  { heading: 'Reported', kind: 'time', value: (row) => formatCsvTime(row.created_at) },
  { heading: 'Title', value: (row) => row.title },
  { heading: 'Site', value: (row) => row.sites.name },
  { heading: 'Category', value: (row) => INCIDENT_CATEGORY_LABELS[row.category] },
  { heading: 'Severity', value: (row) => STATUS_LABELS[row.severity] },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Owner', value: (row) => findName(row.owner) },
  { heading: 'Due', kind: 'time', value: (row) => row.due_at && formatCsvTime(row.due_at) },
  { heading: 'Description', value: (row) => row.description },
  { heading: 'Evidence', value: (row) => row.evidence.length },
  {
    heading: 'Happened',
    kind: 'time',
    value: (row) => row.happened_at && formatCsvTime(row.happened_at),
  },
  {
    heading: 'Written',
    kind: 'time',
    value: (row) => row.written_at && formatCsvTime(row.written_at),
  },
  { heading: 'Witnesses', value: (row) => row.witnesses },
];

export const incidentList = listQueries('incidents', {
  key: incidentsKey,
  tables: ['incidents', 'incident_reviews', 'incident_letters'],
  filters: ['q', 'status', 'severity', 'site', 'owner', 'queue', 'due', 'from', 'to', 'sort'],
  rows: (filters: IncidentFilters) => ({
    range: async (first, last) => {
      const owner = filters.owner === 'me' ? await requireUserId() : filters.owner;
      return incidentsQuery({ ...filters, owner }).range(first, last);
    },
  }),
  columns: EXPORT_COLUMNS,
});

const DETAILS = `*, review_state, next_deadline, sites(name, client_id, client_name, address), evidence(*), report_notes(*),
  incident_reviews(*, reviewer:profiles!reviewed_by(full_name, email)), incident_escalations(*),
  owner:profiles!incidents_owner_id_fkey(full_name, email),
  clerk:profiles!incidents_entered_by_fkey(full_name, email),
  incident_updates(*, author:profiles!created_by(full_name, email),
    owner:profiles!incident_updates_owner_id_fkey(full_name, email), incident_notes(note))`;

async function fetchIncident(id: string): Promise<IncidentDetails | null> {
  const { data } = await supabase()
    .from('incidents')
    .select(DETAILS)
    .eq('id', id)
    .order('created_at', { referencedTable: 'evidence' })
    .order('created_at', { referencedTable: 'incident_updates' })
    .order('created_at', { referencedTable: 'report_notes' })
    .order('created_at', { referencedTable: 'incident_reviews' })
    .order('created_at', { referencedTable: 'incident_escalations' })
    .returns<IncidentDetails[]>()
    .maybeSingle()
    .throwOnError();
  return data;
}

const DETAIL_TABLES = [
  'incident_updates',
  'evidence',
  'report_notes',
  'incident_reviews',
  'incident_escalations',
] as const;

/** The data is null if the incident does not exist or the user may not see it. */
export const useIncident = (id: string) =>
  useLiveQuery(DETAIL_TABLES, incidentsKey, {
    queryKey: [...incidentsKey, 'one', id],
    queryFn: () => fetchIncident(id),
  });

/** @param id null if the account was deleted */
export function useReporter(id: string | null) {
  return useQuery({
    queryKey: ['profiles', 'reporter', id],
    queryFn: () => (id === null ? null : fetchNameOf(id)),
  });
}

type StatusUpdate = {
  /** The version on the screen: a newer one is not overwritten. */
  incident: Pick<Incident, 'id' | 'updated_at'>;
  change: StatusChange;
};

/**
 * @param seen `updated_at` of the version on the screen
 * @returns the new `updated_at`
 * @throws if the incident has changed since `seen`
 */
export async function updateIncident(
  id: string,
  seen: string,
  columns: Database['public']['Tables']['incidents']['Update'],
): Promise<string> {
  const { data } = await supabase()
    .from('incidents')
    .update(columns)
    .eq('id', id)
    .eq('updated_at', seen)
    .select('updated_at')
    .maybeSingle()
    .throwOnError();
  if (!data) {
    throw new Error('Another user has just changed this incident. Check it, then try again.');
  }
  return data.updated_at;
}

/** Stores the status and, in the same transaction, the note in the timeline. */
const updateStatus = ({ incident: { id, updated_at }, change }: StatusUpdate) =>
  updateIncident(id, updated_at, { status: change.status, notes: orNull(change.note) });

export function useUpdateStatus() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: updateStatus,
    // Also after a conflict, to show the other user's change. Returned, so that the button is busy until the refetch.
    onSettled: () => queryClient.invalidateQueries({ queryKey: incidentsKey }),
  });
}

const DASHBOARD_ROWS = 5;

async function fetchOpenIncidents() {
  const { data } = await supabase()
    .from('incidents')
    .select('id, title, severity, created_at, site_id, sites(name)')
    .eq('status', 'open')
    .order('created_at', { ascending: false })
    .limit(DASHBOARD_ROWS)
    .throwOnError();
  return data;
}

export const useOpenIncidents = () =>
  useLiveQuery('incidents', incidentsKey, {
    queryKey: [...incidentsKey, 'open, newest'],
    queryFn: fetchOpenIncidents,
  });

/** The number of incidents of each severity for each of the last 30 days, including today. */
async function fetchIncidentsByDay() {
  const { data } = await supabase().rpc('incidents_by_day', { p_days: 30 }).throwOnError();
  return data;
}

export const useIncidentsByDay = () =>
  useQuery({ queryKey: [...incidentsKey, 'by day'], queryFn: fetchIncidentsByDay });
