import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Database } from '#shared/database.types.ts';
import { shiftsKey } from '#web/lib/data/keys.ts';
import { toRange } from '#web/lib/data/list-search.ts';
import { toPage } from '#web/lib/data/pages.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { dayAfter, startOfDay } from '#web/lib/format/days.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Shift } from './shift-schema.ts';
import type { ShiftSearch } from './shift-search.ts';

type Tables = Database['public']['Tables'];

/** With up to 21 shifts per site and week, a page stays below the limit of 1,000 rows per response. */
export const WEEK_PAGE_SIZE = 15;

type Week = Pick<ShiftSearch, 'q' | 'site' | 'page'> & {
  /** yyyy-MM-dd */
  monday: string;
};

type Assigned = Pick<Tables['assignments']['Row'], 'id' | 'status' | 'on_leave'> & {
  profiles: { full_name: string | null; email: string | null } | null;
};

export type WeekShift = Shift & { assignments: Assigned[] };

async function fetchShifts(siteIds: string[], monday: string) {
  const { data } = await supabase()
    .from('shift_board')
    .select('*, assignments(id, status, on_leave, profiles!user_id(full_name, email))')
    .in('site_id', siteIds)
    .gte('start_time', startOfDay(monday))
    .lt('start_time', startOfDay(dayAfter(monday, 7)))
    .order('start_time')
    .order('id')
    .returns<WeekShift[]>()
    .throwOnError();
  return data;
}

/** Selects the same sites in week_sites and week_totals. */
const sitesOf = ({ q, site }: Pick<Week, 'q' | 'site'>) => ({
  ...(site && { p_site_id: site }),
  ...(q && { p_search: q }),
});

/** Totals per day (yyyy-MM-dd) of all matching sites, not only those on the page. */
async function fetchDayTotals({ q, site, monday }: Week) {
  const { data } = await supabase()
    .rpc('week_totals', { p_from: monday, ...sitesOf({ q, site }) })
    .throwOnError();
  return new Map(data.map((row) => [row.day, row]));
}

async function fetchWeek(week: Week) {
  const { page = 1, monday } = week;
  const totals = fetchDayTotals(week);
  const { rows, total } = toPage(
    await supabase()
      .rpc('week_sites', sitesOf(week), { count: 'exact', get: true })
      .select('id, name, client_name')
      .order('name')
      .order('id')
      .range(...toRange(page, WEEK_PAGE_SIZE)),
  );
  const shifts =
    rows.length === 0
      ? []
      : await fetchShifts(
          rows.map(({ id }) => id),
          monday,
        );
  return { sites: rows, total, shifts, totals: await totals };
}

export type WeekPlan = Awaited<ReturnType<typeof fetchWeek>>;

export function useWeek(week: Week) {
  return useQuery({
    queryKey: [...shiftsKey, 'week', week],
    queryFn: () => fetchWeek(week),
    placeholderData: keepPreviousData,
  });
}

export type Duty = Pick<Tables['assignments']['Row'], 'id' | 'user_id' | 'status' | 'on_leave'> & {
  shifts: {
    id: string;
    start_time: string;
    end_time: string;
    sites: { name: string; timezone: string };
  };
};

async function fetchDuties(guardIds: string[], monday: string): Promise<Duty[]> {
  if (guardIds.length === 0) return [];
  const { data } = await supabase()
    .from('assignments')
    .select(
      'id, user_id, status, on_leave, shifts!inner(id, start_time, end_time, sites(name, timezone))',
    )
    .in('user_id', guardIds)
    .neq('status', 'cancelled')
    .gte('shifts.start_time', startOfDay(monday))
    .lt('shifts.start_time', startOfDay(dayAfter(monday, 7)))
    // No guard starts before the shift: this finds them by the index.
    .gte('starts_at', startOfDay(monday))
    .order('starts_at')
    .order('id')
    .returns<Duty[]>()
    .throwOnError();
  return data;
}

async function fetchGuardWeek({ page = 1, monday, ...filters }: Week) {
  const { rows, total } = toPage(
    await supabase()
      .rpc('week_guards', { p_from: monday, ...sitesOf(filters) }, { count: 'exact', get: true })
      .order('name')
      .order('id')
      .range(...toRange(page, WEEK_PAGE_SIZE)),
  );
  const duties = await fetchDuties(
    rows.map(({ id }) => id),
    monday,
  );
  return { guards: rows, total, duties };
}

export type GuardWeek = Awaited<ReturnType<typeof fetchGuardWeek>>;

export function useGuardWeek(week: Week) {
  return useQuery({
    queryKey: [...shiftsKey, 'week of guards', week],
    queryFn: () => fetchGuardWeek(week),
    placeholderData: keepPreviousData,
  });
}

/** Ids of assignments of the copied week. */
export type CopyChoices = {
  /** Left out. */
  p_without: string[];
  /** Assigned although the guard is on leave. */
  p_despite_leave: string[];
};

export type WeekCopy = CopyChoices & {
  /** Mondays of both weeks, yyyy-MM-dd. */
  p_from: string;
  p_to: string;
  /** All sites when left out. */
  p_site_id?: string;
  p_with_guards: boolean;
};

export function useWeekCopyPreview(copy: WeekCopy, enabled: boolean) {
  return useQuery({
    queryKey: [...shiftsKey, 'week-copy', copy],
    queryFn: async () => (await supabase().rpc('preview_week_copy', copy).throwOnError()).data,
    enabled,
    // Ticking a guard must not hide the list.
    placeholderData: keepPreviousData,
  });
}

type CopiedWeek = Pick<WeekCopy, 'p_from' | 'p_to' | 'p_site_id'>;

async function fetchCopiedGuards(week: CopiedWeek) {
  const { data } = await supabase().rpc('week_copy_guards', week).throwOnError();
  return data;
}

/** A guard of the copied week who needs a decision. */
export type CopiedGuard = Awaited<ReturnType<typeof fetchCopiedGuards>>[number];

export function useCopiedGuards({ p_from, p_to, p_site_id }: CopiedWeek, enabled: boolean) {
  const week = { p_from, p_to, ...(p_site_id && { p_site_id }) };
  return useQuery({
    queryKey: [...shiftsKey, 'week-copy-guards', week],
    queryFn: () => fetchCopiedGuards(week),
    enabled,
  });
}

export const useCopyWeek = () =>
  useChange(
    shiftsKey,
    async (copy: WeekCopy) => (await supabase().rpc('copy_week', copy).throwOnError()).data,
  );

export type Repeat = {
  p_shift_id: string;
  /** Last day, yyyy-MM-dd. */
  p_until: string;
  /** 1 for Monday to 7 for Sunday; empty for every day. */
  p_weekdays: number[];
  p_with_guards: boolean;
};

export function useRepeatPreview(repeat: Repeat, enabled: boolean) {
  return useQuery({
    queryKey: [...shiftsKey, 'repeat', repeat],
    queryFn: async () => (await supabase().rpc('preview_repeat', repeat).throwOnError()).data,
    enabled,
  });
}

export const useRepeatShift = () =>
  useChange(
    shiftsKey,
    async (repeat: Repeat) => (await supabase().rpc('repeat_shift', repeat).throwOnError()).data,
  );
