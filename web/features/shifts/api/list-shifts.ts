// One page of the shifts, from the running ones on or of one day, with how they are staffed.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { orderOf, rangeOf } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE, pageOf } from '#web/lib/data/pages.ts';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';
import { dayIn, type Shift, type ShiftSearch } from '../schema.ts';
import { beginOf, dayAfter, mondayOf } from '../shift-times.ts';

const SORTS = { time: 'start_time', site: 'site_name', staffing: 'assigned' };

export type ShiftFilters = Pick<
  ShiftSearch,
  'q' | 'site' | 'staffing' | 'guard' | 'day' | 'week' | 'sort'
>;

/** The week looks for sites, the list also in the notes. */
const searched = ({ week }: ShiftFilters) =>
  week ? ['site_name', 'client_name'] : ['site_name', 'client_name', 'notes'];

/** @returns between which times the shifts start, ISO 8601 in UTC; undefined for the upcoming ones, which are not over */
export function spanOf(filters: ShiftFilters) {
  const day = dayIn(filters);
  if (filters.week) {
    const monday = mondayOf(filters.week);
    return { from: beginOf(monday), to: beginOf(dayAfter(monday, 7)) };
  }
  return day ? { from: beginOf(day), to: beginOf(dayAfter(day, 1)) } : undefined;
}

/** The shifts that a search and filters leave, in the order of the screen. */
export function shiftsQuery(filters: ShiftFilters) {
  const { q = '', site, staffing, guard, sort } = filters;
  const span = spanOf(filters);
  const columns: string = guard ? '*, assignments!inner()' : '*';
  let query = supabase().from('shift_board').select(columns, { count: 'exact' });
  // The database's clock, which also counts the totals.
  if (span) query = query.gte('start_time', span.from).lt('start_time', span.to);
  else query = query.gt('end_time', 'now');
  if (site) query = query.eq('site_id', site);
  if (guard) query = query.eq('assignments.user_id', guard).neq('assignments.status', 'cancelled');
  if (staffing) query = query.eq('staffing', staffing);
  for (const filter of searchFilters(searched(filters), q)) query = query.or(filter);
  const { column, ascending } = orderOf(sort, SORTS, { column: 'start_time', ascending: true });
  return query
    .order(column, { ascending })
    .order('start_time')
    .order('site_name')
    .order('id')
    .returns<Shift[]>();
}

/** Upcoming shifts end with the time alone. @returns milliseconds */
export const refreshOf = (filters: ShiftFilters) => (spanOf(filters) ? false : 60_000);

export function useShifts(filters: ShiftFilters & Pick<ShiftSearch, 'page'>) {
  const { page = 1, ...rest } = filters;
  return useQuery({
    queryKey: [...shiftsKey, 'list', filters],
    queryFn: async () => pageOf(await shiftsQuery(rest).range(...rangeOf(page, PAGE_SIZE))),
    refetchInterval: refreshOf(rest),
    placeholderData: keepPreviousData,
  });
}
