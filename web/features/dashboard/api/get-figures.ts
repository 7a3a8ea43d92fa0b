// The counts of the six cards: of all sites, or of those that a supervisor has.
import { useQuery } from '@tanstack/react-query';
import { dashboardKey } from '#web/lib/data/keys.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { REFRESH_MS } from './refresh.ts';

async function getFigures() {
  const { data } = await supabase().rpc('dashboard_figures').single().throwOnError();
  return data;
}

/** Assignments carry whether somebody has clocked in and out, too. */
const TABLES = ['shifts', 'incidents', 'assignments'] as const;

export type Figures = Awaited<ReturnType<typeof getFigures>>;

export function useFigures() {
  useLiveTable(TABLES, dashboardKey);
  return useQuery({
    queryKey: [...dashboardKey, 'figures'],
    queryFn: getFigures,
    refetchInterval: REFRESH_MS,
  });
}
