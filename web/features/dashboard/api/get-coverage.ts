// How many guards are required, assigned and clocked in for each hour of today, the company's day.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase.ts';
import { dashboardKey, REFRESH_MS } from './dashboard-key.ts';

async function getCoverage() {
  const { data } = await supabase().rpc('coverage_by_hour').throwOnError();
  return data;
}

/** Clocked in is null for an hour that has not begun. */
export type CoverageHour = Awaited<ReturnType<typeof getCoverage>>[number];

export const useCoverage = () =>
  useQuery({
    queryKey: [...dashboardKey, 'coverage'],
    queryFn: getCoverage,
    refetchInterval: REFRESH_MS,
  });
