// The financial statements, newest period first, refreshed whenever anyone changes one.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from '#web/lib/data/pages.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { statementsKey } from '../../../lib/data/keys.ts';
import type { Statement } from '../schema.ts';

async function listStatements(limit: number): Promise<Page<Statement>> {
  const { data, count } = await supabase()
    .from('financial_statements')
    .select('*', { count: 'exact' })
    .order('period_start', { ascending: false })
    .order('id')
    .limit(limit)
    .throwOnError();
  return { rows: data, total: count ?? data.length };
}

/** @param limit how many to load at most */
export function useStatements(limit: number) {
  useLiveTable('financial_statements', statementsKey);
  return useQuery({
    queryKey: [...statementsKey, { limit }],
    queryFn: () => listStatements(limit),
    placeholderData: keepPreviousData,
  });
}
