import { queryOptions, useQuery } from '@tanstack/react-query';
import { addDays } from 'date-fns';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { refetchEvery } from '#web/lib/cache/network-retry.ts';
import { dashboardKey } from '#web/lib/data/keys.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** Milliseconds. Some figures change without any new row, for example when a shift starts and no guard has clocked in. */
const REFRESH_MS = 60_000;

async function fetchFigures() {
  const { data } = await supabase().rpc('dashboard_figures').single().throwOnError();
  return data;
}

/** `assignments` also changes when a guard clocks in or out. */
const TABLES = ['shifts', 'incidents', 'assignments', 'offers'] as const;

export type Figures = Awaited<ReturnType<typeof fetchFigures>>;

export const figuresQuery = queryOptions({
  queryKey: [...dashboardKey, 'figures'],
  queryFn: fetchFigures,
  refetchInterval: refetchEvery(REFRESH_MS),
});

export const useFigures = () => useLiveQuery(TABLES, dashboardKey, figuresQuery);

const gapSchema = z.object({
  id: z.uuid(),
  site_name: z.string(),
  client_name: z.string(),
  timezone: z.string(),
  start_time: z.string(),
  end_time: z.string(),
  is_running: z.boolean(),
  required: z.number(),
  missing: z.number(),
  late: z.number(),
  late_guards: z.array(z.string()),
});

/** A shift with an uncovered or late post. */
export type Gap = z.infer<typeof gapSchema>;

async function fetchStart() {
  const { data } = await supabase().rpc('dashboard_start').single().throwOnError();
  return { ...data, gaps: z.array(gapSchema).parse(data.gaps) };
}

export type Start = Awaited<ReturnType<typeof fetchStart>>;

/** Coverage now and next. */
export const startQuery = queryOptions({
  queryKey: [...dashboardKey, 'start'],
  queryFn: fetchStart,
  refetchInterval: refetchEvery(REFRESH_MS),
});

/** @param isPlanner coverage is refused to others */
export const useStart = (isPlanner = true) => useQuery({ ...startQuery, enabled: isPlanner });

async function fetchWork() {
  const { data } = await supabase().rpc('office_work').throwOnError();
  return data;
}

/** What waits for the user, by kind. */
export const workQuery = queryOptions({
  queryKey: [...dashboardKey, 'work'],
  queryFn: fetchWork,
  refetchInterval: refetchEvery(REFRESH_MS),
});

export const useWork = () => useQuery(workQuery);

async function fetchDates() {
  const { data } = await supabase().rpc('office_dates').throwOnError();
  return data;
}

/** Due dates change once a day. */
const DATES_REFRESH_MS = 10 * REFRESH_MS;

export const datesQuery = queryOptions({
  queryKey: [...dashboardKey, 'dates'],
  queryFn: fetchDates,
  refetchInterval: refetchEvery(DATES_REFRESH_MS),
});

export const useDates = () => useQuery(datesQuery);

async function fetchCoverage() {
  const { data } = await supabase().rpc('coverage_by_hour').throwOnError();
  return data;
}

export const useCoverage = () =>
  useQuery({
    queryKey: [...dashboardKey, 'coverage'],
    queryFn: fetchCoverage,
    refetchInterval: refetchEvery(REFRESH_MS),
  });

const SHOWN = 5;

async function fetchExpiringCertifications() {
  const now = new Date();
  const { data } = await supabase()
    .from('certifications')
    .select('id, user_id, expires_at, training_courses(title), profiles(full_name, email)')
    .gte('expires_at', now.toISOString())
    .lte('expires_at', addDays(now, limits.EXPIRING_DAYS).toISOString())
    .order('expires_at')
    .order('id')
    .limit(SHOWN)
    .throwOnError();
  return data;
}

export const useExpiringCertifications = () =>
  useQuery({
    queryKey: [...dashboardKey, 'expiring'],
    queryFn: fetchExpiringCertifications,
    refetchInterval: refetchEvery(REFRESH_MS),
  });
