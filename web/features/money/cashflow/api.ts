import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { formatCents, parseCents } from '#shared/money.ts';
import { cashflowKey } from '#web/lib/data/keys.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableFormat } from '#web/lib/files/write-table.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const cents = z.string().transform(parseCents);

/** Amounts arrive as text: a sum may have more digits than a JSON number holds exactly. */
const cashflowSchema = z.array(
  z.object({
    currency: z.string(),
    inflows: cents,
    outflows: cents,
    net: cents,
    bank_balance: cents,
    loan_balance: cents,
  }),
);

export type Cashflow = z.infer<typeof cashflowSchema>[number];

/** Figures that are sums of records, by the database's name. */
export const FIGURES = {
  inflows: 'Total Inflows',
  outflows: 'Total Outflows',
  bank_balance: 'Bank Account Balance',
  loan_balance: 'Loan Balance',
} as const;

type Figure = keyof typeof FIGURES;

async function fetchCashflow(): Promise<Cashflow[]> {
  const { data } = await supabase()
    .rpc('cashflow')
    .select(
      'currency, inflows::text, outflows::text, net::text, bank_balance::text, loan_balance::text',
    )
    .throwOnError();
  return cashflowSchema.parse(data);
}

const TABLES = ['bank_accounts', 'loans', 'financial_statements', 'expense_reports'] as const;

export const cashflowQuery = queryOptions({ queryKey: cashflowKey, queryFn: fetchCashflow });

export const useCashflow = () => useLiveQuery(TABLES, cashflowKey, cashflowQuery);

export type Selection = { currency: string; figure: Figure };

async function fetchEntries({ currency, figure }: Selection, limit: number) {
  const { data, count } = await supabase()
    .rpc('cashflow_entries', { p_currency: currency, p_figure: figure }, { count: 'exact' })
    .order('amount', { ascending: false })
    .order('id')
    .limit(limit)
    .throwOnError();
  return { rows: data, total: count ?? data.length };
}

/** The records that make up one figure, largest first. */
export function useEntries(selection: Selection, limit: number) {
  return useQuery({
    queryKey: [...cashflowKey, selection, { limit }],
    queryFn: () => fetchEntries(selection, limit),
    placeholderData: keepPreviousData,
  });
}

/** Without thousands separators, for spreadsheets. */
const formatPlain = (cents: bigint) => formatCents(cents).replaceAll(',', '');

export function exportCashflow(rows: Cashflow[], format: TableFormat): Promise<void> {
  return downloadTable(
    format,
    'cashflow-statement',
    [
      { heading: 'Currency', value: (row) => row.currency },
      { heading: 'Total Inflows', kind: 'amount', value: (row) => formatPlain(row.inflows) },
      { heading: 'Total Outflows', kind: 'amount', value: (row) => formatPlain(row.outflows) },
      { heading: 'Net Cashflow', kind: 'amount', value: (row) => formatPlain(row.net) },
      {
        heading: 'Bank Account Balance',
        kind: 'amount',
        value: (row) => formatPlain(row.bank_balance),
      },
      { heading: 'Loan Balance', kind: 'amount', value: (row) => formatPlain(row.loan_balance) },
    ],
    rows,
  );
}
