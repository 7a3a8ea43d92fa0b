// One page of the shifts, from today on or of one day, with how they are staffed.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { today } from '#web/lib/format.ts';
import { PAGE_SIZE, pageOf } from '#web/lib/list-page.ts';
import { orderOf, rangeOf } from '#web/lib/list-search.ts';
import { searchFilters } from '#web/lib/search-filter.ts';
import { supabase } from '#web/lib/supabase.ts';
import { dayIn, type ShiftSearch } from '../schema.ts';
import { beginOf, dayAfter, mondayOf } from '../shift-times.ts';
import { shiftsKey } from './shifts-key.ts';

const SORTS = { time: 'start_time', site: 'site_name', staffing: 'assigned' };

export type ShiftFilters = Pick<ShiftSearch, 'q' | 'site' | 'staffing' | 'day' | 'week' | 'sort'>;

/** The week looks for sites, the list also in the notes. */
const searched = ({ week }: ShiftFilters) =>
  week ? ['site_name', 'client_name'] : ['site_name', 'client_name', 'notes'];

/** @returns when the list begins, and when it ends if it does; ISO 8601 in UTC */
export function spanOf(filters: ShiftFilters) {
  const day = dayIn(filters);
  if (filters.week) {
    const monday = mondayOf(filters.week);
    return { from: beginOf(monday), to: beginOf(dayAfter(monday, 7)) };
  }
  return { from: beginOf(day ?? today()), to: day && beginOf(dayAfter(day, 1)) };
}

/** The shifts that a search and filters leave, in the order of the screen. */
export function shiftsQuery(filters: ShiftFilters) {
  const { q = '', site, staffing, sort } = filters;
  const { from, to } = spanOf(filters);
  let query = supabase()
    .from('shift_board')
    .select('*', { count: 'exact' })
    .gte('start_time', from);
  if (to) query = query.lt('start_time', to);
  if (site) query = query.eq('site_id', site);
  if (staffing) query = query.eq('staffing', staffing);
  for (const filter of searchFilters(searched(filters), q)) query = query.or(filter);
  const { column, ascending } = orderOf(sort, SORTS, { column: 'start_time', ascending: true });
  return query.order(column, { ascending }).order('start_time').order('site_name').order('id');
}

export function useShifts(filters: ShiftFilters & Pick<ShiftSearch, 'page'>) {
  const { page = 1, ...rest } = filters;
  return useQuery({
    queryKey: [...shiftsKey, 'list', filters],
    queryFn: async () => pageOf(await shiftsQuery(rest).range(...rangeOf(page, PAGE_SIZE))),
    placeholderData: keepPreviousData,
  });
}
