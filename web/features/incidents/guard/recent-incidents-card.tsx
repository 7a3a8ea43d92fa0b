import { useQuery } from '@tanstack/react-query';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';

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

function useRecentIncidents() {
  useLiveTable('incidents', recentIncidentsKey);
  return useQuery({
    queryKey: recentIncidentsKey,
    queryFn: fetchRecentIncidents,
    meta: PERSISTED,
  });
}

export function RecentIncidentsCard() {
  return (
    <LoadedCard
      title="Recent Incidents"
      query={useRecentIncidents()}
      loadingText="Loading incidents..."
      isEmpty={(incidents) => incidents.length === 0}
      emptyText="No recent incidents"
    >
      {(incidents) => (
        <ul aria-label="Recent Incidents" className="divide-y divide-line">
          {incidents.map(({ id, title, severity, status, created_at }) => (
            <li key={id} className="px-4 py-4 sm:px-5">
              <div className="flex items-start justify-between gap-3">
                <h3 className="min-w-0 font-semibold break-words">{title}</h3>
                <StatusBadge status={severity} />
              </div>
              <p className="mt-1 flex flex-wrap gap-x-2 text-sm text-muted">
                <span>{STATUS_LABELS[status]}</span>
                <span aria-hidden="true">·</span>
                <time dateTime={created_at}>{formatDateTime(created_at)}</time>
              </p>
            </li>
          ))}
        </ul>
      )}
    </LoadedCard>
  );
}
