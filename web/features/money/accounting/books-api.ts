import { keepPreviousData } from '@tanstack/react-query';
import { formatCents } from '#shared/money.ts';
import { BOOKED_TABLES } from '#web/lib/data/booked-tables.ts';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn, TableFormat } from '#web/lib/files/write-table.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Days } from './rules.ts';
import {
  type Balance,
  currenciesOf,
  type LedgerRow,
  ledgerSchema,
  profitOf,
  type StatementPart,
  sheetOf,
} from './statements.ts';

const booksKey = [...invoicesKey, 'books'] as const;

async function fetchBalances({ from, to }: Days): Promise<Balance[]> {
  const { data } = await supabase()
    .rpc('account_balances', { p_from: from, p_to: to })
    .throwOnError();
  return data;
}

export const useBalances = (days: Days) =>
  useLiveQuery(BOOKED_TABLES, invoicesKey, {
    queryKey: [...booksKey, 'balances', days],
    queryFn: () => fetchBalances(days),
    placeholderData: keepPreviousData,
  });

async function fetchProfits({ from, to }: Days) {
  const { data } = await supabase()
    .rpc('profit_by_month', { p_from: from, p_to: to })
    .throwOnError();
  return data;
}

/** Income and expenses of each month. */
export const useProfits = (days: Days) =>
  useLiveQuery(BOOKED_TABLES, invoicesKey, {
    queryKey: [...booksKey, 'profits', days],
    queryFn: () => fetchProfits(days),
    placeholderData: keepPreviousData,
  });

/** Lines on a page of a ledger. */
export const LEDGER_PAGE = 50;

type LedgerOf = { account: string; currency: string; days: Days };

/** @param page from 1; every line without it */
async function fetchLedger({ account, currency, days }: LedgerOf, page?: number) {
  const { data } = await supabase()
    .rpc('account_ledger', {
      p_account_id: account,
      p_currency: currency,
      p_from: days.from,
      p_to: days.to,
      ...(page !== undefined && { p_page: page, p_size: LEDGER_PAGE }),
    })
    .throwOnError();
  return ledgerSchema.parse(data);
}

export const useLedger = (of: LedgerOf, page: number) =>
  useLiveQuery(BOOKED_TABLES, invoicesKey, {
    queryKey: [...booksKey, 'ledger', of, page],
    queryFn: () => fetchLedger(of, page),
    placeholderData: keepPreviousData,
  });

const nameOf = (what: string, { from, to }: Days) => `${what}-${from}-${to}`;

const BALANCE_COLUMNS: TableColumn<Balance>[] = [
  { heading: 'Account', value: (row) => row.code },
  { heading: 'Account Name', value: (row) => row.name },
  { heading: 'Currency', value: (row) => row.currency },
  { heading: 'Opening Balance', kind: 'amount', value: (row) => row.opening.toFixed(2) },
  { heading: 'Debit', kind: 'amount', value: (row) => row.debit.toFixed(2) },
  { heading: 'Credit', kind: 'amount', value: (row) => row.credit.toFixed(2) },
  { heading: 'Closing Balance', kind: 'amount', value: (row) => row.closing.toFixed(2) },
];

export const exportBalances = async (days: Days, format: TableFormat) =>
  downloadTable(format, nameOf('trial-balance', days), BALANCE_COLUMNS, await fetchBalances(days));

type StatementRow = { part: string; code: string; name: string; currency: string; cents: bigint };

const STATEMENT_COLUMNS: TableColumn<StatementRow>[] = [
  { heading: 'Part', value: (row) => row.part },
  { heading: 'Account', value: (row) => row.code },
  { heading: 'Account Name', value: (row) => row.name },
  { heading: 'Currency', value: (row) => row.currency },
  {
    heading: 'Amount',
    kind: 'amount',
    value: ({ cents }) => formatCents(cents).replaceAll(',', ''),
  },
];

/** Each line of the parts, and what they lead to. */
async function exportStatement(
  name: string,
  days: Days,
  format: TableFormat,
  partsOf: (balances: Balance[]) => {
    parts: StatementPart[];
    result?: [name: string, cents: bigint];
  },
): Promise<void> {
  const balances = await fetchBalances(days);
  const rows = currenciesOf(balances).flatMap((currency) => {
    const { parts, result } = partsOf(balances.filter((each) => each.currency === currency));
    const row = (part: string, code: string, title: string, cents: bigint) => ({
      ...{ part, code, currency, cents },
      name: title,
    });
    return [
      ...parts.flatMap(({ title, lines, total }) => [
        ...lines.map((line) => row(title, line.account?.code ?? '', line.name, line.cents)),
        row(title, '', `Total ${title.toLowerCase()}`, total),
      ]),
      ...(result ? [row('', '', ...result)] : []),
    ];
  });
  await downloadTable(format, nameOf(name, days), STATEMENT_COLUMNS, rows);
}

export const exportProfit = (days: Days, format: TableFormat) =>
  exportStatement('profit-and-loss', days, format, (balances) => {
    const { income, expenses, profit } = profitOf(balances);
    return { parts: [income, expenses], result: ['Profit', profit] };
  });

export const exportSheet = (days: Days, format: TableFormat) =>
  exportStatement('balance-sheet', days, format, (balances) => {
    const { assets, liabilities, equity } = sheetOf(balances);
    return { parts: [assets, liabilities, equity] };
  });

const LEDGER_COLUMNS: TableColumn<LedgerRow>[] = [
  { heading: 'Date', kind: 'day', value: (row) => row.day },
  { heading: 'Document', value: (row) => row.document },
  { heading: 'Text', value: (row) => row.text },
  { heading: 'Debit', kind: 'amount', value: (row) => row.debit },
  { heading: 'Credit', kind: 'amount', value: (row) => row.credit },
  { heading: 'Balance', kind: 'amount', value: (row) => row.balance },
];

/** Every line of the days. */
export async function exportLedger(of: LedgerOf, format: TableFormat): Promise<void> {
  const { code, rows } = await fetchLedger(of);
  await downloadTable(
    format,
    nameOf(`ledger-${code}-${of.currency}`, of.days),
    LEDGER_COLUMNS,
    rows,
  );
}
