// One page of a day's attendance, or of the work of every day, refreshed whenever somebody clocks in or out.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { orderOf, rangeOf } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE, pageOf } from '#web/lib/data/pages.ts';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { everyRow } from '#web/lib/files/csv.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { attendanceKey } from '../../../lib/data/keys.ts';
import { type AttendanceFilters, shownDay } from '../schema.ts';

const SORTS = {
  guard: 'guard_name',
  site: 'site_name',
  shift: 'start_time',
  in: 'clock_in_at',
  out: 'clock_out_at',
  late: 'late_minutes',
  early: 'early_minutes',
};

/** The rows that a search and the filters leave, in the order of the screen: as their shifts start. */
function attendanceQuery(filters: AttendanceFilters) {
  const { q = '', site, state, sort } = filters;
  const day = shownDay(filters);
  let query = supabase().rpc('attendance_of', day ? { p_day: day } : {}, { count: 'exact' });
  if (site) query = query.eq('site_id', site);
  if (state) query = query.contains('states', [state]);
  for (const filter of searchFilters(['guard_name'], q)) query = query.or(filter);
  const { column, ascending } = orderOf(sort, SORTS, { column: 'start_time', ascending: true });
  return query
    .order(column, { ascending, nullsFirst: false })
    .order('site_name')
    .order('guard_name')
    .order('assignment_id');
}

export const everyAttendance = (filters: AttendanceFilters) =>
  everyRow(async (from, to) => {
    const { data } = await attendanceQuery(filters).range(from, to).throwOnError();
    return data;
  });

const TABLES = ['attendance', 'assignments'] as const;

export function useAttendance(filters: AttendanceFilters & { page: number }) {
  useLiveTable(TABLES, attendanceKey);
  return useQuery({
    queryKey: [...attendanceKey, 'list', filters],
    queryFn: async () =>
      pageOf(await attendanceQuery(filters).range(...rangeOf(filters.page, PAGE_SIZE))),
    placeholderData: keepPreviousData,
  });
}
