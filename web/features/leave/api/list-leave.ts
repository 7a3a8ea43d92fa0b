// One page of the leave requests: those that wait first, the most urgent of them on top; then the latest.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { orderOf, rangeOf } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE, pageOf } from '#web/lib/data/pages.ts';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { leaveKey } from '../../../lib/data/keys.ts';
import type { LeaveFilters, LeaveRow } from '../schema.ts';

const SORTS = {
  person: 'person_name',
  type: 'type',
  dates: 'start_date',
  days: 'days',
  status: 'status',
};

/** The requests that a search and the filters leave, in the order of the screen. */
export function leaveQuery({ q = '', status, type, from, to, sort }: LeaveFilters) {
  let query = supabase().from('leave_overview').select('*', { count: 'exact' });
  if (status) query = query.eq('status', status);
  if (type) query = query.eq('type', type);
  if (from) query = query.gte('end_date', from);
  if (to) query = query.lte('start_date', to);
  for (const filter of searchFilters(['person_name', 'reason'], q)) query = query.or(filter);
  const { column, ascending } = orderOf(sort, SORTS, { column: 'waits_for', ascending: true });
  return query
    .order(column, { ascending, nullsFirst: false })
    .order('start_date', { ascending: false })
    .order('id')
    .returns<LeaveRow[]>();
}

export function useLeave(filters: LeaveFilters & { page: number }) {
  useLiveTable('leave_requests', leaveKey);
  return useQuery({
    queryKey: [...leaveKey, 'list', filters],
    queryFn: async () =>
      pageOf(await leaveQuery(filters).range(...rangeOf(filters.page, PAGE_SIZE))),
    placeholderData: keepPreviousData,
  });
}
