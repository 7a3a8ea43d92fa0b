import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Database } from '#shared/database.types.ts';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { rangeOf } from '#web/lib/data/list-search.ts';
import { existing } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { downloadCsv } from '#web/lib/files/csv.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type AccountForm, type Days, documentsOf, journalSchema } from './rules.ts';

async function fetchJournal({ from, to }: Days) {
  const { data } = await supabase().rpc('journal_lines', { p_from: from, p_to: to }).throwOnError();
  const lines = journalSchema.parse(data);
  return { lines, documents: documentsOf(lines) };
}
export type Journal = Awaited<ReturnType<typeof fetchJournal>>;

/** Documents on a page of the preview. */
export const PREVIEWED = 20;

export function useJournal(days: Days) {
  useLiveTable(['invoices', 'credit_notes', 'receipts', 'pay_runs', 'payments'], invoicesKey);
  return useQuery({
    queryKey: [...invoicesKey, 'journal', days],
    queryFn: () => fetchJournal(days),
    placeholderData: keepPreviousData,
  });
}

/** @returns the documents of a page, from 1 */
export function pageOfJournal({ documents }: Journal, page: number) {
  const [first, last] = rangeOf(page, PREVIEWED);
  return documents.slice(first, last + 1);
}

export const exportJournal = ({ from, to }: Days, { lines }: Journal): Promise<void> =>
  downloadCsv(
    `journal-${from}-${to}`,
    [
      { heading: 'Date', value: (line) => line.day },
      { heading: 'Document', value: (line) => line.document },
      { heading: 'Account', value: (line) => line.account_code },
      { heading: 'Account Name', value: (line) => line.account_name },
      { heading: 'Debit', value: (line) => line.debit },
      { heading: 'Credit', value: (line) => line.credit },
      { heading: 'Currency', value: (line) => line.currency },
      { heading: 'Text', value: (line) => line.text },
    ],
    lines,
  );

export type Account = Database['public']['Tables']['chart_of_accounts']['Row'];

export function useAccounts() {
  useLiveTable('chart_of_accounts', invoicesKey);
  return useQuery({
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
}

async function saveAccount({ id, form }: { id: string; form: AccountForm }) {
  await requireUserId();
  const { data } = await supabase()
    .from('chart_of_accounts')
    .update({ code: form.code, name: form.name })
    .eq('id', id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'account');
}

export const useSaveAccount = () => useChange(invoicesKey, saveAccount);
