import { keepPreviousData } from '@tanstack/react-query';
import { nameOfEntry } from '#shared/documents/statement-entries.ts';
import { formatAmount } from '#shared/money.ts';
import { everyRow } from '#web/lib/data/every-row.ts';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { parsePayTo } from '#web/lib/data/pay-to.ts';
import { existing } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { toFileName } from '#web/lib/files/download.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableFormat } from '#web/lib/files/write-table.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Entry, Period, Statement } from './rules.ts';

const fetchEntries = ({ client, currency, from, to }: Period): Promise<Entry[]> =>
  everyRow(async (first, last) => {
    const { data } = await supabase()
      .rpc('client_statement', {
        p_client_id: client,
        p_currency: currency,
        p_from: from,
        p_to: to,
      })
      .range(first, last)
      .throwOnError();
    return data;
  });

async function fetchStatement(period: Period): Promise<Statement> {
  const [entries, { data: client }, { data: payTo }] = await Promise.all([
    fetchEntries(period),
    supabase()
      .from('clients')
      .select('id, name, location')
      .eq('id', period.client)
      .maybeSingle()
      .throwOnError(),
    supabase().rpc('pay_to_of', { p_currency: period.currency }).throwOnError(),
  ]);
  return { period, entries, client: existing(client, 'client'), payTo: parsePayTo(payTo) };
}

export const useStatement = (period: Period) =>
  useLiveQuery(['invoices', 'credit_notes', 'receipts', 'refunds'], invoicesKey, {
    queryKey: [...invoicesKey, 'statement', period],
    queryFn: () => fetchStatement(period),
    placeholderData: keepPreviousData,
  });

async function voidReceipt({ id, reason }: { id: string; reason: string }) {
  await requireUserId();
  await supabase().rpc('void_receipt', { p_id: id, p_reason: reason }).throwOnError();
}

export const useVoidReceipt = () => useChange(invoicesKey, voidReceipt);

/** @returns for example "statement-ducor-hotel-usd", without extension */
export const buildFileName = ({ client, period }: Statement): string =>
  toFileName(`statement-${client.name}-${period.currency}`);

export const exportStatement = (statement: Statement, format: TableFormat): Promise<void> =>
  downloadTable(
    format,
    buildFileName(statement),
    [
      { heading: 'Day', kind: 'day', value: (entry) => entry.day },
      { heading: 'Entry', value: nameOfEntry },
      { heading: 'Document', value: (entry) => entry.document },
      { heading: 'Text', value: (entry) => entry.text },
      { heading: 'Currency', value: () => statement.period.currency },
      { heading: 'Charge', kind: 'amount', value: (entry) => formatAmount(entry.charge) },
      { heading: 'Payment', kind: 'amount', value: (entry) => formatAmount(entry.payment) },
      { heading: 'Balance', kind: 'amount', value: (entry) => formatAmount(entry.balance) },
    ],
    statement.entries,
  );
