// One page of the staff, newest first, refreshed whenever a record changes.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { orderOf, rangeOf } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE, pageOf } from '#web/lib/data/pages.ts';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { staffKey } from '../../../lib/data/keys.ts';
import type { StaffRow, StaffSearch } from '../schema.ts';

const SORTS = { name: 'full_name', hired: 'hire_date', salary: 'salary_amount' };

type Filters = Pick<StaffSearch, 'q' | 'status' | 'sort' | 'page'>;

/** The staff that a search and a filter leave, in the order of the screen. */
export function staffQuery({ q = '', status, sort }: Omit<Filters, 'page'>) {
  let query = supabase()
    .from('staff')
    .select('*, profiles!user_id(full_name, email)', { count: 'exact' });
  if (status) query = query.eq('status', status);
  for (const filter of searchFilters(['full_name', 'email', 'phone'], q)) query = query.or(filter);
  const { column, ascending } = orderOf(sort, SORTS, { column: 'created_at', ascending: false });
  return query.order(column, { ascending }).order('id').returns<StaffRow[]>();
}

export function useStaff(filters: Filters) {
  useLiveTable('staff', staffKey);
  return useQuery({
    queryKey: [...staffKey, 'list', filters],
    queryFn: async () =>
      pageOf(await staffQuery(filters).range(...rangeOf(filters.page ?? 1, PAGE_SIZE))),
    placeholderData: keepPreviousData,
  });
}
