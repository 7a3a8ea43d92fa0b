// The loan accounts, newest first, refreshed whenever anyone changes one.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from '#web/lib/data/pages.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { loansKey } from '../../../../lib/data/keys.ts';
import type { Loan } from '../schema.ts';

async function listLoans(limit: number): Promise<Page<Loan>> {
  const { data, count } = await supabase()
    .from('loans')
    .select('*', { count: 'exact' })
    .order('created_at', { ascending: false })
    .order('id')
    .limit(limit)
    .throwOnError();
  return { rows: data, total: count ?? data.length };
}

/** @param limit how many to load at most */
export function useLoans(limit: number) {
  useLiveTable('loans', loansKey);
  return useQuery({
    queryKey: [...loansKey, { limit }],
    queryFn: () => listLoans(limit),
    placeholderData: keepPreviousData,
  });
}
