// Guards required, assigned and clocked in: at this moment, and for each hour of today, the company's day.
import { useQuery } from '@tanstack/react-query';
import { dashboardKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { REFRESH_MS } from './refresh.ts';

async function getCoverage() {
  const [hours, now] = await Promise.all([
    supabase().rpc('coverage_by_hour').throwOnError(),
    supabase().rpc('coverage_now').single().throwOnError(),
  ]);
  return { hours: hours.data, now: now.data };
}

export type CoverageNow = Awaited<ReturnType<typeof getCoverage>>['now'];

export const useCoverage = () =>
  useQuery({
    queryKey: [...dashboardKey, 'coverage'],
    queryFn: getCoverage,
    refetchInterval: REFRESH_MS,
  });
