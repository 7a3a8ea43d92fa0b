// The cashflow of each currency, refreshed whenever one of its tables changes.
import { useQuery } from '@tanstack/react-query';
import { cashflowKey } from '#web/lib/data/keys.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type Cashflow, cashflowSchema } from '../figures.ts';

async function listCashflow(): Promise<Cashflow[]> {
  const { data } = await supabase()
    .rpc('cashflow')
    .select(
      'currency, inflows::text, outflows::text, net::text, bank_balance::text, loan_balance::text',
    )
    .throwOnError();
  return cashflowSchema.parse(data);
}

const TABLES = ['bank_accounts', 'loans', 'financial_statements', 'expense_reports'] as const;

export function useCashflow() {
  useLiveTable(TABLES, cashflowKey);
  return useQuery({ queryKey: cashflowKey, queryFn: listCashflow });
}
