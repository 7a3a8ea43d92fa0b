import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { everyRow } from '#web/lib/data/every-row.ts';
import { activityKey } from '#web/lib/data/keys.ts';
import { ASKED, afterCursor, logPageOf, toInstants } from '#web/lib/data/log-page.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn, TableFormat } from '#web/lib/files/write-table.ts';
import { nameInWords } from '#web/lib/format/letter-case.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { groupActions, MOST_MS, toAction } from './actions.ts';
import { listChanges, listReferences, recordName } from './changes.ts';
import { ACTION_LABELS, eventLabel } from './labels.ts';
import {
  type ActivitySearch,
  type Entry,
  type EntryFilters,
  type EventFilters,
  MACHINE_TABLES,
  type SecurityEvent,
  type Subject,
} from './schema.ts';
import { sentenceOf } from './sentences.ts';

/** Most rows in one CSV file, newest first. For more, users export one period at a time. */
export const EXPORT_LIMIT = 5000;

/** Entries that match the filters. Without a count, which would read the whole log. */
function entriesQuery({ person, table, rows, action, row, ...period }: EntryFilters) {
  let query = supabase().from('audit_log').select();
  if (person) query = query.eq('actor_id', person);
  if (table) query = query.eq('table_name', table);
  if (action) query = query.eq('action', action);
  if (row) query = query.eq('row_id', row);
  // A filter for a table or a record asks for all of its rows.
  if (!rows && !table && !row) {
    query = query.not('actor_id', 'is', null).notIn('table_name', MACHINE_TABLES);
  }
  const { since, until } = toInstants(period);
  if (since) query = query.gte('at', since);
  if (until) query = query.lt('at', until);
  return query;
}

async function fetchSubjects(entries: readonly Entry[]): Promise<ReadonlyMap<string, Subject>> {
  if (entries.length === 0) return new Map();
  const { data } = await supabase()
    .rpc('entry_subjects', { p_ids: entries.map(({ id }) => id) })
    .throwOnError();
  return new Map(data.map(({ id, ...subject }) => [id, subject]));
}

/** Most entries of one action that the dialog lists. */
const MOST_CAUSED = 100;

/** What the entry says, and the others of the same transaction, newest first. */
async function fetchAction(entry: Entry) {
  const near = (milliseconds: number) =>
    new Date(Date.parse(entry.at) + milliseconds).toISOString();
  const { data } =
    entry.cause === null
      ? { data: [entry] }
      : await supabase()
          .from('audit_log')
          .select()
          .eq('cause', entry.cause)
          .gte('at', near(-MOST_MS))
          .lte('at', near(MOST_MS))
          .order('at', { ascending: false })
          .order('id', { ascending: false })
          .limit(MOST_CAUSED)
          .throwOnError();
  // A large action has more entries than are read.
  const entries = data.some(({ id }) => id === entry.id) ? data : [...data, entry];
  const subjects = await fetchSubjects(entries);
  const action = toAction(entries, subjects);
  const leads = action?.main.id === entry.id;
  // An opened consequence speaks for itself.
  const sentence = (leads ? action : toAction([entry], subjects))?.sentence ?? '';
  const others = leads ? action.caused : action ? [action.main] : [];
  const caused = others.map((each) => ({
    id: each.id,
    sentence: sentenceOf(each, subjects.get(each.id)),
  }));
  return { sentence, caused };
}

async function fetchEntries(filters: EntryFilters, before: string | undefined) {
  let query = entriesQuery(filters);
  if (before) {
    const { at, or } = afterCursor(before, 'descending');
    query = query.lte('at', at).or(or);
  }
  const { data } = await query
    .order('at', { ascending: false })
    .order('id', { ascending: false })
    .limit(ASKED)
    .throwOnError();
  const page = logPageOf(data);
  return { ...page, rows: groupActions(page.rows, await fetchSubjects(page.rows)) };
}

export function entriesPage(search: ActivitySearch) {
  const { person, table, rows, action, row, from, to, before } = search;
  const filters = { person, table, rows, action, row, from, to };
  return queryOptions({
    queryKey: [...activityKey, 'entries', filters, before],
    queryFn: () => fetchEntries(filters, before),
    placeholderData: keepPreviousData,
  });
}

async function fetchEntry(id: string) {
  const { data: entry } = await supabase()
    .from('audit_log')
    .select('*, undoable')
    .eq('id', id)
    .returns<(Entry & { undoable: number })[]>()
    .maybeSingle()
    .throwOnError();
  if (!entry) return null;
  const { undoable, ...own } = entry;
  const changes = listChanges(entry);
  const ids = listReferences(changes);
  const [action, people, sites] = await Promise.all([
    fetchAction(own),
    supabase().from('profiles').select('id, full_name, email').in('id', ids.people).throwOnError(),
    supabase().from('sites').select('id, name').in('id', ids.sites).throwOnError(),
  ]);
  const names = new Map([
    ...people.data.map((person) => [person.id, formatName(person)] as const),
    ...sites.data.map(({ id: site, name }) => [site, name] as const),
  ]);
  return { entry: own, undoable, ...action, changes, names };
}

/** An entry with its changed fields, and the names of the people and sites that they refer to, by id. */
export type EntryDetails = NonNullable<Awaited<ReturnType<typeof fetchEntry>>>;

/** The data is null if the entry does not exist. */
export const useEntry = (id: string) =>
  useQuery({ queryKey: [...activityKey, 'entry', id], queryFn: () => fetchEntry(id) });

async function undoEntry(id: string): Promise<string[]> {
  const { data } = await supabase().rpc('undo_entry', { p_entry: id }).throwOnError();
  return data;
}

export function useUndoEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: undoEntry,
    // Any list may show what came back.
    onSuccess: () => client.invalidateQueries(),
  });
}

const jsonOrNull = (values: Entry['old_values']) =>
  values === null ? null : JSON.stringify(values);

const ENTRY_COLUMNS: TableColumn<Entry>[] = [
  { heading: 'When', kind: 'time', value: (entry) => entry.at },
  { heading: 'Person', value: (entry) => entry.actor_email },
  { heading: 'Action', value: (entry) => ACTION_LABELS[entry.action] },
  { heading: 'Table', value: (entry) => nameInWords(entry.table_name) },
  { heading: 'Record', value: recordName },
  { heading: 'Record Id', value: (entry) => entry.row_id },
  { heading: 'Before', value: ({ old_values }) => jsonOrNull(old_values) },
  { heading: 'After', value: ({ new_values }) => jsonOrNull(new_values) },
];

export async function exportEntries(filters: EntryFilters, format: TableFormat): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await entriesQuery(filters)
      .order('at', { ascending: false })
      .order('id', { ascending: false })
      .range(from, to)
      .throwOnError();
    return data;
  }, EXPORT_LIMIT);
  await downloadTable(format, 'activity', ENTRY_COLUMNS, rows);
}

/**
 * Security events that match the filters, newest first. The view itself orders them: ordering here would make
 * PostgreSQL sort the whole log for each page.
 */
function eventsQuery({ person, event, ...period }: EventFilters) {
  let query = supabase().from('security_events').select();
  if (person) query = query.eq('actor_id', person);
  if (event) query = query.eq('action', event);
  const { since, until } = toInstants(period);
  if (since) query = query.gte('at', since);
  if (until) query = query.lt('at', until);
  return query;
}

async function fetchEvents(filters: EventFilters, before: string | undefined) {
  let query = eventsQuery(filters);
  if (before) {
    const { at, or } = afterCursor(before, 'ascending');
    query = query.lte('at', at).or(or);
  }
  const { data } = await query.limit(ASKED).returns<SecurityEvent[]>().throwOnError();
  return logPageOf(data);
}

export function useEvents(filters: EventFilters, before: string | undefined) {
  return useQuery({
    queryKey: [...activityKey, 'events', filters, before],
    queryFn: () => fetchEvents(filters, before),
    placeholderData: keepPreviousData,
  });
}

const EVENT_COLUMNS: TableColumn<SecurityEvent>[] = [
  { heading: 'When', kind: 'time', value: (event) => event.at },
  { heading: 'Person', value: (event) => event.actor_email },
  { heading: 'Event', value: (event) => eventLabel(event.action) },
  { heading: 'Address', value: (event) => event.ip_address },
  { heading: 'Details', value: (event) => JSON.stringify(event.details) },
];

export async function exportEvents(filters: EventFilters, format: TableFormat): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await eventsQuery(filters)
      .range(from, to)
      .returns<SecurityEvent[]>()
      .throwOnError();
    return data;
  }, EXPORT_LIMIT);
  await downloadTable(format, 'security-events', EVENT_COLUMNS, rows);
}
