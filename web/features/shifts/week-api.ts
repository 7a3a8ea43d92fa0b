import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { shiftsKey } from '#web/lib/data/keys.ts';
import { rangeOf } from '#web/lib/data/list-search.ts';
import { pageOf } from '#web/lib/data/pages.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { ShiftSearch } from './shift-schema.ts';
import { dayAfter, startOfDay } from './shift-times.ts';

/** With up to 21 shifts per site and week, a page stays below the limit of 1,000 rows per response. */
export const WEEK_PAGE_SIZE = 15;

type Week = Pick<ShiftSearch, 'q' | 'site' | 'page'> & {
  /** yyyy-MM-dd */
  monday: string;
};

async function fetchShifts(siteIds: string[], monday: string) {
  const { data } = await supabase()
    .from('shift_board')
    .select()
    .in('site_id', siteIds)
    .gte('start_time', startOfDay(monday))
    .lt('start_time', startOfDay(dayAfter(monday, 7)))
    .order('start_time')
    .order('id')
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
  const { rows, total } = pageOf(
    await supabase()
      .rpc('week_sites', sitesOf(week), { count: 'exact', get: true })
      .select('id, name, client_name')
      .order('name')
      .order('id')
      .range(...rangeOf(page, WEEK_PAGE_SIZE)),
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

export type WeekCopy = {
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
