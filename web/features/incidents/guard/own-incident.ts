import { useQuery } from '@tanstack/react-query';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { incidentsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const ROW = 'id, title, severity, status, created_at';
/** Enough for the reports that a guard still adds to. */
const MAX_OWN = 50;

async function fetchOwnReports(userId: string) {
  const { data } = await supabase()
    .from('incidents')
    .select(ROW)
    .eq('raised_by_user_id', userId)
    .order('created_at', { ascending: false })
    .limit(MAX_OWN)
    .throwOnError();
  return data;
}

export function useOwnReports(userId: string) {
  useLiveTable('incidents', incidentsKey);
  return useQuery({
    queryKey: [...incidentsKey, 'own', userId],
    queryFn: () => fetchOwnReports(userId),
    meta: PERSISTED,
  });
}

/** What a guard may see of an incident: no internal notes, and no names of the office. */
async function fetchIncident(id: string) {
  const { data } = await supabase()
    .from('incidents')
    .select(
      `${ROW}, site_id, category, description, raised_by_user_id, evidence(*), incident_updates(id, from_status, to_status, created_at), report_notes(id, note, created_at)`,
    )
    .eq('id', id)
    .order('created_at', { referencedTable: 'evidence' })
    .order('created_at', { referencedTable: 'incident_updates' })
    .order('created_at', { referencedTable: 'report_notes' })
    .maybeSingle()
    .throwOnError();
  return data;
}

export type GuardIncident = NonNullable<Awaited<ReturnType<typeof fetchIncident>>>;

const DETAIL_TABLES = ['incident_updates', 'evidence', 'report_notes'] as const;

/** The data is null if the incident does not exist or the user may not see it. */
export function useGuardIncident(id: string) {
  useLiveTable(DETAIL_TABLES, incidentsKey);
  return useQuery({
    queryKey: [...incidentsKey, 'guard', id],
    queryFn: () => fetchIncident(id),
    meta: PERSISTED,
  });
}

type NewNote = {
  /** Made on the device: a retry after a lost response stores nothing twice. */
  id: string;
  incidentId: string;
  note: string;
};

async function addReportNote({ id, incidentId, note }: NewNote): Promise<void> {
  await supabase()
    .from('report_notes')
    .upsert({ id, incident_id: incidentId, note }, { onConflict: 'id', ignoreDuplicates: true })
    .throwOnError();
}

export const useAddReportNote = () => useChange(incidentsKey, addReportNote);
