// One page of the activity log, newest first.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ASKED, afterCursor, instantsOf, logPageOf } from '#web/lib/data/log-page.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { activityKey } from '../../../lib/data/keys.ts';
import type { EntryFilters } from '../schema.ts';

/** The entries that the filters leave, newest first. Without a count: it would read the whole log. */
export function entriesQuery({ person, table, action, row, ...period }: EntryFilters) {
  let query = supabase().from('audit_log').select();
  if (person) query = query.eq('actor_id', person);
  if (table) query = query.eq('table_name', table);
  if (action) query = query.eq('action', action);
  if (row) query = query.eq('row_id', row);
  const { since, until } = instantsOf(period);
  if (since) query = query.gte('at', since);
  if (until) query = query.lt('at', until);
  return query;
}

async function listEntries(filters: EntryFilters, before: string | undefined) {
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

export function useEntries(filters: EntryFilters, before: string | undefined) {
  return useQuery({
    queryKey: [...activityKey, 'entries', filters, before],
    queryFn: () => listEntries(filters, before),
    placeholderData: keepPreviousData,
  });
}
