// One page of the payroll, newest first, refreshed whenever a record changes.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { orderOf, rangeOf } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE, pageOf } from '#web/lib/data/pages.ts';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { payrollKey } from '../../../lib/data/keys.ts';
import type { PayrollRow, PayrollSearch } from '../schema.ts';

const SORTS = {
  name: 'staff(full_name)',
  period: 'period_start',
  net: 'net_amount',
  paid: 'payment_date',
};

export type PayrollFilters = Pick<PayrollSearch, 'q' | 'status' | 'period' | 'sort'>;

/** @returns first and last day of the period that the address names, yyyy-MM-dd; neither without one */
export const periodOf = (period: string | undefined) => period?.split(' ') ?? [];

/** The records that a search and the filters leave, in the order of the screen. */
export function payrollQuery({ q = '', status, period, sort }: PayrollFilters) {
  let query = supabase()
    .from('payroll')
    .select('*, staff!inner(full_name, role, payment_frequency)', { count: 'exact' });
  const [start, end] = periodOf(period);
  if (status) query = query.eq('payment_status', status);
  if (start && end) query = query.eq('period_start', start).eq('period_end', end);
  for (const filter of searchFilters(['full_name'], q)) {
    query = query.or(filter, { referencedTable: 'staff' });
  }
  const { column, ascending } = orderOf(sort, SORTS, { column: 'created_at', ascending: false });
  return query.order(column, { ascending }).order('id').returns<PayrollRow[]>();
}

export function usePayroll(filters: PayrollFilters & Pick<PayrollSearch, 'page'>) {
  useLiveTable('payroll', payrollKey);
  return useQuery({
    queryKey: [...payrollKey, 'list', filters],
    queryFn: async () =>
      pageOf(await payrollQuery(filters).range(...rangeOf(filters.page ?? 1, PAGE_SIZE))),
    placeholderData: keepPreviousData,
  });
}
