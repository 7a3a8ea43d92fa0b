import { keepPreviousData } from '@tanstack/react-query';
import type { Database } from '#shared/database.types.ts';
import { BOOKED_TABLES } from '#web/lib/data/booked-tables.ts';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { changeOne } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { download } from '#web/lib/files/download.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn, TableFormat } from '#web/lib/files/write-table.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type Package, writeForPackage } from './packages.ts';
import {
  type AccountForm,
  type Days,
  type JournalLine,
  journalPageSchema,
  journalSchema,
} from './rules.ts';

/** Documents on a page of the preview. */
export const PREVIEWED = 20;

/** @param page from 1 */
async function fetchPage({ from, to }: Days, page: number) {
  const { data } = await supabase()
    .rpc('journal_page', { p_from: from, p_to: to, p_page: page, p_size: PREVIEWED })
    .throwOnError();
  return journalPageSchema.parse(data);
}

export const useJournal = (days: Days, page: number) =>
  useLiveQuery(BOOKED_TABLES, invoicesKey, {
    queryKey: [...invoicesKey, 'journal', days, page],
    queryFn: () => fetchPage(days, page),
    placeholderData: keepPreviousData,
  });

const columns: TableColumn<JournalLine>[] = [
  { heading: 'Date', kind: 'day', value: (line) => line.day },
  { heading: 'Document', value: (line) => line.document },
  { heading: 'Account', value: (line) => line.account_code },
  { heading: 'Account Name', value: (line) => line.account_name },
  { heading: 'Debit', kind: 'amount', value: (line) => line.debit },
  { heading: 'Credit', kind: 'amount', value: (line) => line.credit },
  { heading: 'Currency', value: (line) => line.currency },
  { heading: 'Text', value: (line) => line.text },
];

/** The lines of all documents. */
export async function exportJournal({ from, to }: Days, format: TableFormat): Promise<void> {
  const { data } = await supabase().rpc('journal_lines', { p_from: from, p_to: to }).throwOnError();
  await downloadTable(format, `journal-${from}-${to}`, columns, journalSchema.parse(data));
}

/** Several files, as Xero needs of long journals, come as one archive. @throws when there is nothing in the currency */
export async function exportForPackage(
  target: Package,
  { from, to }: Days,
  currency: string,
): Promise<void> {
  const { data } = await supabase().rpc('journal_lines', { p_from: from, p_to: to }).throwOnError();
  const name = `journal-${from}-${to}`;
  const files = writeForPackage(target, journalSchema.parse(data), currency, name);
  const [first] = files;
  if (!first) throw new Error(`Nothing of these days is in ${currency}. Choose other days.`);
  if (files.length === 1) {
    download(first.name, new Blob([first.text], { type: 'text/plain' }));
    return;
  }
  const { downloadZip } = await import('client-zip');
  const parts = files.map((file) => ({ name: file.name, input: file.text }));
  download(`${name}-${currency}-${target}.zip`, await downloadZip(parts).blob());
}

export type Account = Database['public']['Tables']['chart_of_accounts']['Row'];

export const useAccounts = () =>
  useLiveQuery('chart_of_accounts', invoicesKey, {
    queryKey: [...invoicesKey, 'accounts'],
    queryFn: async () => {
      const { data } = await supabase()
        .from('chart_of_accounts')
        .select()
        .order('code')
        .order('key')
        .throwOnError();
      return data;
    },
  });

async function saveAccount({ id, form }: { id: string; form: AccountForm }) {
  await requireUserId();
  await changeOne(
    supabase().from('chart_of_accounts').update({ code: form.code, name: form.name }).eq('id', id),
    'account',
  );
}

export const useSaveAccount = () => useChange(invoicesKey, saveAccount);
