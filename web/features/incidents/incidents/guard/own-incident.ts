import { queryOptions, useQuery } from '@tanstack/react-query';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { incidentsKey } from '#web/lib/data/keys.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Evidence, Handling, Incident, IncidentUpdate, Review } from '../schema.ts';

const ROW = 'id, title, severity, status, created_at, written_at, review_state';
type OwnReport = Pick<
  Incident,
  'id' | 'title' | 'severity' | 'status' | 'created_at' | 'written_at'
> &
  Pick<Handling, 'review_state'>;
/** Enough for the reports that a guard still adds to. */
const MAX_OWN = 50;

async function fetchOwnReports(userId: string) {
  const { data } = await supabase()
    .from('incidents')
    .select(ROW)
    .eq('raised_by_user_id', userId)
    .order('created_at', { ascending: false })
    .limit(MAX_OWN)
    .returns<OwnReport[]>()
    .throwOnError();
  return data;
}

const LIST_TABLES = ['incidents', 'incident_reviews', 'report_notes'] as const;

export const useOwnReports = (userId: string) =>
  useLiveQuery(LIST_TABLES, incidentsKey, {
    queryKey: [...incidentsKey, 'own', userId],
    queryFn: () => fetchOwnReports(userId),
    meta: PERSISTED,
  });

export type GuardIncident = OwnReport &
  Pick<Incident, 'site_id' | 'category' | 'description' | 'raised_by_user_id'> & {
    evidence: Evidence[];
    incident_updates: Pick<IncidentUpdate, 'id' | 'from_status' | 'to_status' | 'created_at'>[];
    report_notes: { id: string; note: string; created_at: string }[];
    /** Only of the guard's own reports. */
    incident_reviews: Pick<Review, 'id' | 'decision' | 'note' | 'created_at'>[];
  };

/** Without internal notes and names of the office. */
const selectDetails = () =>
  supabase()
    .from('incidents')
    .select(
      `${ROW}, site_id, category, description, raised_by_user_id, evidence(*), incident_updates(id, from_status, to_status, created_at), report_notes(id, note, created_at), incident_reviews(id, decision, note, created_at)`,
    )
    .order('created_at', { referencedTable: 'evidence' })
    .order('created_at', { referencedTable: 'incident_updates' })
    .order('created_at', { referencedTable: 'report_notes' })
    .order('created_at', { referencedTable: 'incident_reviews' });

async function fetchIncident(id: string): Promise<GuardIncident | null> {
  const { data } = await selectDetails()
    .eq('id', id)
    .returns<GuardIncident[]>()
    .maybeSingle()
    .throwOnError();
  return data;
}

/** The newest reports are loaded whole: they are opened without a signal too. */
const WHOLE = 10;

async function fetchWhole(userId: string): Promise<GuardIncident[]> {
  const { data } = await selectDetails()
    .eq('raised_by_user_id', userId)
    .order('created_at', { ascending: false })
    .limit(WHOLE)
    .returns<GuardIncident[]>()
    .throwOnError();
  return data;
}

const wholeQuery = (userId: string) =>
  queryOptions({
    queryKey: [...incidentsKey, 'own-whole', userId],
    queryFn: () => fetchWhole(userId),
    meta: PERSISTED,
  });

/** Has what the newest own reports say on the device, for when they are opened. */
export const useWholeReports = (userId: string) => useQuery(wholeQuery(userId));

const DETAIL_TABLES = [...LIST_TABLES, 'incident_updates', 'evidence'] as const;

/** The data is null if the incident does not exist or the user may not see it. */
export function useGuardIncident(id: string, userId: string | undefined) {
  const whole = useQuery({ ...wholeQuery(userId ?? ''), enabled: false }).data;
  return useLiveQuery(DETAIL_TABLES, incidentsKey, {
    queryKey: [...incidentsKey, 'guard', id],
    queryFn: () => fetchIncident(id),
    initialData: () => whole?.find((report) => report.id === id),
    initialDataUpdatedAt: 0,
    meta: PERSISTED,
  });
}
