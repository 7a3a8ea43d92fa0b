// Revenue, expenses and profit of the latest periods, for the chart.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { statementsKey } from '../../../lib/data/keys.ts';

/** Bars that can still be told apart on a phone. */
const PERIODS = 12;

/** @returns oldest first */
async function listProfits() {
  const { data } = await supabase()
    .from('financial_statements')
    .select('id, title, period_start, period_end, total_revenue, total_expenses, net_profit')
    .order('period_start', { ascending: false })
    .order('id')
    .limit(PERIODS)
    .throwOnError();
  return data.toReversed();
}

export const useProfits = () =>
  useQuery({ queryKey: [...statementsKey, 'profits'], queryFn: listProfits });
