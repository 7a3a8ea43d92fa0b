import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { activityKey } from '#web/lib/data/keys.ts';
import { ASKED, afterCursor, logPageOf, toInstants } from '#web/lib/data/log-page.ts';
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { nameInWords } from '#web/lib/format/letter-case.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { listChanges, listReferences, recordName } from './changes.ts';
import { ACTION_LABELS, eventLabel } from './labels.ts';
import type { ActivitySearch, Entry, EntryFilters, EventFilters, SecurityEvent } from './schema.ts';

/** Most rows in one CSV file, newest first. For more, users export one period at a time. */
export const EXPORT_LIMIT = 5000;

/** Entries that match the filters. Without a count, which would read the whole log. */
function entriesQuery({ person, table, action, row, ...period }: EntryFilters) {
  let query = supabase().from('audit_log').select();
  if (person) query = query.eq('actor_id', person);
  if (table) query = query.eq('table_name', table);
  if (action) query = query.eq('action', action);
  if (row) query = query.eq('row_id', row);
  const { since, until } = toInstants(period);
  if (since) query = query.gte('at', since);
  if (until) query = query.lt('at', until);
  return query;
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
  return logPageOf(data);
}

export function entriesPage({ person, table, action, row, from, to, before }: ActivitySearch) {
  const filters = { person, table, action, row, from, to };
  return queryOptions({
    queryKey: [...activityKey, 'entries', filters, before],
    queryFn: () => fetchEntries(filters, before),
    placeholderData: keepPreviousData,
  });
}

async function fetchEntry(id: string) {
  const { data: entry } = await supabase()
    .from('audit_log')
    .select()
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  if (!entry) return null;
  const changes = listChanges(entry);
  const ids = listReferences(changes);
  const [people, sites] = await Promise.all([
    supabase().from('profiles').select('id, full_name, email').in('id', ids.people).throwOnError(),
    supabase().from('sites').select('id, name').in('id', ids.sites).throwOnError(),
  ]);
  const names = new Map([
    ...people.data.map((person) => [person.id, formatName(person)] as const),
    ...sites.data.map(({ id: site, name }) => [site, name] as const),
  ]);
  return { entry, changes, names };
}

/** An entry with its changed fields, and the names of the people and sites that they refer to, by id. */
export type EntryDetails = NonNullable<Awaited<ReturnType<typeof fetchEntry>>>;

/** The data is null if the entry does not exist. */
export const useEntry = (id: string) =>
  useQuery({ queryKey: [...activityKey, 'entry', id], queryFn: () => fetchEntry(id) });

const jsonOrNull = (values: Entry['old_values']) =>
  values === null ? null : JSON.stringify(values);

const ENTRY_COLUMNS: CsvColumn<Entry>[] = [
  { heading: 'When', value: (entry) => entry.at },
  { heading: 'Person', value: (entry) => entry.actor_email },
  { heading: 'Action', value: (entry) => ACTION_LABELS[entry.action] },
  { heading: 'Table', value: (entry) => nameInWords(entry.table_name) },
  { heading: 'Record', value: recordName },
  { heading: 'Record Id', value: (entry) => entry.row_id },
  { heading: 'Before', value: ({ old_values }) => jsonOrNull(old_values) },
  { heading: 'After', value: ({ new_values }) => jsonOrNull(new_values) },
];

export async function exportEntries(filters: EntryFilters): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await entriesQuery(filters)
      .order('at', { ascending: false })
      .order('id', { ascending: false })
      .range(from, to)
      .throwOnError();
    return data;
  }, EXPORT_LIMIT);
  await downloadCsv('activity', ENTRY_COLUMNS, rows);
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

const EVENT_COLUMNS: CsvColumn<SecurityEvent>[] = [
  { heading: 'When', value: (event) => event.at },
  { heading: 'Person', value: (event) => event.actor_email },
  { heading: 'Event', value: (event) => eventLabel(event.action) },
  { heading: 'Address', value: (event) => event.ip_address },
  { heading: 'Details', value: (event) => JSON.stringify(event.details) },
];

export async function exportEvents(filters: EventFilters): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await eventsQuery(filters)
      .range(from, to)
      .returns<SecurityEvent[]>()
      .throwOnError();
    return data;
  }, EXPORT_LIMIT);
  await downloadCsv('security-events', EVENT_COLUMNS, rows);
}
