import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { shiftsKey } from '#web/lib/data/keys.ts';
import { rangeOf } from '#web/lib/data/list-search.ts';
import { pageOf } from '#web/lib/data/pages.ts';
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { ShiftSearch } from './shift-schema.ts';
import { beginOf, dayAfter } from './shift-times.ts';

/** A site has up to 21 shifts a week; together they stay under the thousand rows of one answer. */
export const WEEK_PAGE_SIZE = 15;

type Week = Pick<ShiftSearch, 'q' | 'site' | 'page'> & {
  /** Its first day, yyyy-MM-dd. */
  monday: string;
};

async function shiftsOf(siteIds: string[], monday: string) {
  const { data } = await supabase()
    .from('shift_board')
    .select()
    .in('site_id', siteIds)
    .gte('start_time', beginOf(monday))
    .lt('start_time', beginOf(dayAfter(monday, 7)))
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

/** Totals of all sites that match, by day. */
async function totalsOf({ q, site, monday }: Week) {
  const { data } = await supabase()
    .rpc('week_totals', { p_from: monday, ...sitesOf({ q, site }) })
    .throwOnError();
  return new Map(data.map((row) => [row.day, row]));
}

async function listWeek(week: Week) {
  const { page = 1, monday } = week;
  const totals = totalsOf(week);
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
      : await shiftsOf(
          rows.map(({ id }) => id),
          monday,
        );
  return { sites: rows, total, shifts, totals: await totals };
}

export type WeekPlan = Awaited<ReturnType<typeof listWeek>>;

export function useWeek(week: Week) {
  return useQuery({
    queryKey: [...shiftsKey, 'week', week],
    queryFn: () => listWeek(week),
    placeholderData: keepPreviousData,
  });
}

export type WeekCopy = {
  /** First days of both weeks, yyyy-MM-dd. */
  p_from: string;
  p_to: string;
  /** Without it, all sites. */
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
  /** 1 for Monday to 7 for Sunday; none means every day. */
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
