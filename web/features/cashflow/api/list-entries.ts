// The rows that make up one figure of the cashflow.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { cashflowKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Figure } from '../figures.ts';

export type Selection = { currency: string; figure: Figure };

async function listEntries({ currency, figure }: Selection, limit: number) {
  const { data, count } = await supabase()
    .rpc('cashflow_entries', { p_currency: currency, p_figure: figure }, { count: 'exact' })
    .order('amount', { ascending: false })
    .order('id')
    .limit(limit)
    .throwOnError();
  return { rows: data, total: count ?? data.length };
}

/** @param limit how many to load at most, the largest first */
export function useEntries(selection: Selection, limit: number) {
  return useQuery({
    queryKey: [...cashflowKey, selection, { limit }],
    queryFn: () => listEntries(selection, limit),
    placeholderData: keepPreviousData,
  });
}
