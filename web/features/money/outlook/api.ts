import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { BOOKED_TABLES } from '#web/lib/data/booked-tables.ts';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn, TableFormat } from '#web/lib/files/write-table.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { cashSchema, debtorsSchema, type Expected, hoursSchema, marginsSchema } from './outlook.ts';
import { SOURCE_TEXTS } from './sources.ts';

const outlookKey = [...invoicesKey, 'outlook'] as const;

async function fetchCash() {
  const { data } = await supabase().rpc('cash_ahead').throwOnError();
  return cashSchema.parse(data);
}

export const useCash = () =>
  useLiveQuery([...BOOKED_TABLES, 'bank_accounts', 'contracts'], invoicesKey, {
    queryKey: [...outlookKey, 'cash'],
    queryFn: fetchCash,
    placeholderData: keepPreviousData,
  });

async function fetchDebtors() {
  const { data } = await supabase().rpc('debtors_days').throwOnError();
  return debtorsSchema.parse(data);
}

export const useDebtors = () =>
  useLiveQuery(['invoices', 'receipts', 'credit_notes'], invoicesKey, {
    queryKey: [...outlookKey, 'debtors'],
    queryFn: fetchDebtors,
    placeholderData: keepPreviousData,
  });

async function fetchMargins() {
  const { data } = await supabase().rpc('contract_margins').throwOnError();
  return marginsSchema.parse(data);
}

export const useMargins = () =>
  useLiveQuery(['invoices', 'pay_runs'], invoicesKey, {
    queryKey: [...outlookKey, 'margins'],
    queryFn: fetchMargins,
    placeholderData: keepPreviousData,
  });

async function fetchHours() {
  const { data } = await supabase().rpc('overtime_and_gaps').throwOnError();
  return hoursSchema.parse(data);
}

/** Of whole months, which the past hardly changes: not refetched live. */
export const useHoursCost = () =>
  useQuery({ queryKey: [...outlookKey, 'hours'], queryFn: fetchHours });

const COLUMNS: TableColumn<Expected>[] = [
  { heading: 'Date', kind: 'day', value: (row) => row.day },
  { heading: 'Week', value: (row) => (row.week === null ? 'Later' : String(row.week)) },
  { heading: 'Currency', value: (row) => row.currency },
  { heading: 'Source', value: (row) => SOURCE_TEXTS[row.source].name },
  { heading: 'Document', value: (row) => row.document },
  { heading: 'Amount', kind: 'amount', value: (row) => row.amount },
  { heading: 'Why', value: (row) => row.reason },
];

/** Everything that is expected, document by document. */
export async function exportCash(format: TableFormat): Promise<void> {
  const { today, rows } = await fetchCash();
  await downloadTable(format, `cash-ahead-${today}`, COLUMNS, rows);
}
