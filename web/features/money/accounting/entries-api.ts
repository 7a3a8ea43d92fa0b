import { keepPreviousData } from '@tanstack/react-query';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { toRange } from '#web/lib/data/list-search.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type EntryForm, toLines } from './entry-schema.ts';

export const ENTRIES_PAGE = 20;

const COLUMNS = `*, author:profiles!book_entries_created_by_fkey(full_name, email),
  voider:profiles!book_entries_voided_by_fkey(full_name, email),
  lines:book_entry_lines(position, currency, amount, account:chart_of_accounts(code, name))` as const;

/** @param page from 1 */
async function fetchEntries(page: number) {
  const { data, count } = await supabase()
    .from('book_entries')
    .select(COLUMNS, { count: 'exact' })
    .order('day', { ascending: false })
    .order('created_at', { ascending: false })
    .order('position', { referencedTable: 'lines' })
    .range(...toRange(page, ENTRIES_PAGE))
    .throwOnError();
  return { rows: data, total: count ?? 0 };
}
export type BookEntry = Awaited<ReturnType<typeof fetchEntries>>['rows'][number];

/** Newest first. */
export const useEntries = (page: number) =>
  useLiveQuery('book_entries', invoicesKey, {
    queryKey: [...invoicesKey, 'books', 'entries', page],
    queryFn: () => fetchEntries(page),
    placeholderData: keepPreviousData,
  });

async function fetchEntry(id: string): Promise<BookEntry | null> {
  const { data } = await supabase()
    .from('book_entries')
    .select(COLUMNS)
    .eq('id', id)
    .order('position', { referencedTable: 'lines' })
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useEntry = (id: string) =>
  useLiveQuery('book_entries', invoicesKey, {
    queryKey: [...invoicesKey, 'books', 'entry', id],
    queryFn: () => fetchEntry(id),
  });

/** @param id made with the form, so that a repeated press adds one entry */
async function addEntry({ id, form }: { id: string; form: EntryForm }) {
  await requireUserId();
  await supabase()
    .rpc('add_book_entry', {
      p_id: id,
      p_kind: form.kind,
      p_day: form.day,
      p_description: form.description,
      p_lines: toLines(form.lines),
    })
    .throwOnError();
}

async function voidEntry({ id, reason }: { id: string; reason: string }) {
  await requireUserId();
  await supabase().rpc('void_book_entry', { p_id: id, p_reason: reason }).throwOnError();
}

export const useAddEntry = () => useChange(invoicesKey, addEntry);
export const useVoidEntry = () => useChange(invoicesKey, voidEntry);
