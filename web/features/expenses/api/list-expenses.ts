// The expenses, newest first, refreshed whenever anyone changes one.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from '#web/lib/data/pages.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { expensesKey } from '../../../lib/data/keys.ts';
import type { Expense } from '../schema.ts';

async function listExpenses(limit: number): Promise<Page<Expense>> {
  const { data, count } = await supabase()
    .from('expense_reports')
    .select('*', { count: 'exact' })
    .order('expense_date', { ascending: false })
    .order('id')
    .limit(limit)
    .throwOnError();
  return { rows: data, total: count ?? data.length };
}

/** @param limit how many to load at most */
export function useExpenses(limit: number) {
  useLiveTable('expense_reports', expensesKey);
  return useQuery({
    queryKey: [...expensesKey, { limit }],
    queryFn: () => listExpenses(limit),
    placeholderData: keepPreviousData,
  });
}
