import { useQuery } from '@tanstack/react-query';
import { addDays } from 'date-fns';
import { dashboardKey } from '#web/lib/data/keys.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** Some figures change with the time alone: a shift begins, and nobody has come. Milliseconds. */
export const REFRESH_MS = 60_000;

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

/** Specification, section 9. */
const DAYS = 30;
const SHOWN = 5;

async function listExpiring() {
  const now = new Date();
  const { data } = await supabase()
    .from('certifications')
    .select('id, user_id, expires_at, training_courses(title), profiles(full_name, email)')
    .gte('expires_at', now.toISOString())
    .lte('expires_at', addDays(now, DAYS).toISOString())
    .order('expires_at')
    .order('id')
    .limit(SHOWN)
    .throwOnError();
  return data;
}

export const useExpiring = () =>
  useQuery({
    queryKey: [...dashboardKey, 'expiring'],
    queryFn: listExpiring,
    refetchInterval: REFRESH_MS,
  });
