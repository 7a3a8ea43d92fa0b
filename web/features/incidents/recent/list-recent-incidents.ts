// The newest incidents that whoever is signed in may read.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { KEPT } from '#web/lib/cache/query-client.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** Specification, section 9. */
const LATEST = 5;

const recentIncidentsKey = ['incidents', 'recent'] as const;

async function listRecentIncidents() {
  const { data } = await supabase()
    .from('incidents')
    .select('id, title, severity, status, created_at')
    .order('created_at', { ascending: false })
    .limit(LATEST)
    .throwOnError();
  return data;
}

export function recentIncidentsQuery() {
  return queryOptions({
    queryKey: recentIncidentsKey,
    queryFn: listRecentIncidents,
    meta: KEPT,
  });
}

export function useRecentIncidents() {
  useLiveTable('incidents', recentIncidentsKey);
  return useQuery(recentIncidentsQuery());
}
