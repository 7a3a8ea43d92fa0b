import { useQuery } from '@tanstack/react-query';
import { addMonths, format, parseISO, startOfMonth } from 'date-fns';
import { expensesKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder, type RecordsSearch } from '#web/lib/data/list-search.ts';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { changeOne, recordHooks, withAuthor } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { storableName } from '#web/lib/files/upload-file.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { today } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { EXPENSE_CATEGORY_LABELS, REPORT_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { type Expense, expenseSchema, toForm, toRow } from './schema.ts';

const COLUMNS = '*, sites(name)';

export const expenses = recordHooks({
  table: 'expense_reports',
  columns: COLUMNS,
  key: expensesKey,
  name: 'expense',
  schema: expenseSchema,
  toForm,
  toColumns: toRow,
  toNewRow: withAuthor,
});

const SORTS = { date: 'expense_date', title: 'title', amount: 'amount' };

const EXPORT_COLUMNS: TableColumn<Expense>[] = [
  { heading: 'Date', kind: 'day', value: (row) => row.expense_date },
  { heading: 'Title', value: (row) => row.title },
  { heading: 'Category', value: (row) => EXPENSE_CATEGORY_LABELS[row.category] },
  { heading: 'Report Type', value: (row) => REPORT_TYPE_LABELS[row.report_type] },
  { heading: 'Amount (USD)', kind: 'amount', value: (row) => row.amount.toFixed(2) },
  { heading: 'Site', value: (row) => row.sites?.name },
  { heading: 'Notes', value: (row) => row.notes },
];

export const expenseList = listQueries('expenses', {
  key: expensesKey,
  tables: 'expense_reports',
  filters: ['sort'],
  rows: ({ sort }: Pick<RecordsSearch, 'sort'>) => {
    const { column, ascending } = parseOrder(sort, SORTS, {
      column: 'expense_date',
      ascending: false,
    });
    return supabase()
      .from('expense_reports')
      .select(COLUMNS, { count: 'exact' })
      .order(column, { ascending })
      .order('id');
  },
  file: 'expense-reports',
  columns: EXPORT_COLUMNS,
  pageSize: CARDS_STEP,
});

const CHART_MONTHS = 12;

async function fetchExpenseTotals() {
  const p_to = today();
  const p_from = format(addMonths(startOfMonth(parseISO(p_to)), 1 - CHART_MONTHS), 'yyyy-MM-dd');
  const { data } = await supabase().rpc('expense_totals', { p_from, p_to }).throwOnError();
  return data;
}

/** Sums of the last twelve months, by month and category. */
export const useExpenseTotals = () =>
  useQuery({ queryKey: [...expensesKey, 'totals'], queryFn: fetchExpenseTotals });

const LINK_SECONDS = 600;

async function fetchReceiptLink(path: string): Promise<string> {
  const receipts = supabase().storage.from('receipts');
  const { data, error } = await receipts.createSignedUrl(path, LINK_SECONDS);
  if (error) throw error;
  return data.signedUrl;
}

export function useReceiptLink(path: string) {
  return useQuery({
    queryKey: [...expensesKey, 'receipt', path],
    queryFn: () => fetchReceiptLink(path),
    // Refetched well before the link expires.
    staleTime: (LINK_SECONDS / 2) * 1000,
  });
}

type Attach = { expense: Expense; file: File };

async function attachReceipt({ expense, file }: Attach): Promise<void> {
  const receipts = supabase().storage.from('receipts');
  const path = `${expense.id}/${storableName(file.name)}`;
  const { error } = await receipts.upload(path, file, { upsert: true });
  if (error) throw error;
  await changeOne(
    supabase().from('expense_reports').update({ receipt_path: path }).eq('id', expense.id),
    'expense',
  );
  if (!expense.receipt_path || expense.receipt_path === path) return;
  const removed = await receipts.remove([expense.receipt_path]);
  if (removed.error) throw removed.error;
}

export const useAttachReceipt = () => useChange(expensesKey, attachReceipt);

async function removeReceipt({ id, receipt_path }: Expense): Promise<void> {
  await supabase()
    .from('expense_reports')
    .update({ receipt_path: null })
    .eq('id', id)
    .throwOnError();
  if (!receipt_path) return;
  const { error } = await supabase().storage.from('receipts').remove([receipt_path]);
  if (error) throw error;
}

export const useRemoveReceipt = () => useChange(expensesKey, removeReceipt);
