import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { IncidentRows } from './incident-rows.tsx';

const MAX_ROWS = 5;

const recentIncidentsKey = ['incidents', 'recent'] as const;

async function fetchRecentIncidents() {
  const { data } = await supabase()
    .from('incidents')
    .select('id, title, severity, status, created_at')
    .order('created_at', { ascending: false })
    .limit(MAX_ROWS)
    .throwOnError();
  return data;
}

const useRecentIncidents = () =>
  useLiveQuery('incidents', recentIncidentsKey, {
    queryKey: recentIncidentsKey,
    queryFn: fetchRecentIncidents,
    meta: PERSISTED,
  });

export function RecentIncidentsCard() {
  return (
    <LoadedCard
      title="Recent Incidents"
      query={useRecentIncidents()}
      loadingText="Loading incidents..."
      emptyText="No recent incidents"
    >
      {(incidents) => <IncidentRows label="Recent Incidents" incidents={incidents} />}
    </LoadedCard>
  );
}
