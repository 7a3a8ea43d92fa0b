import { supabase } from '../supabase/client.ts';

/** Entries of a section; Activity shows all. */
const SHOWN = 10;
/** Their ids are in the address of the request. */
const MOST_ROWS = 100;

/** The latest changes of these rows. @param ids the most important ones first */
export async function fetchHistory(ids: readonly string[]) {
  const { data } = await supabase()
    .from('audit_log')
    .select('id, at, actor_id, actor_email, action, table_name, old_values, new_values')
    .in('row_id', ids.slice(0, MOST_ROWS))
    .order('at', { ascending: false })
    .order('id')
    .limit(SHOWN)
    .throwOnError();
  return data;
}

export type HistoryEntry = Awaited<ReturnType<typeof fetchHistory>>[number];
