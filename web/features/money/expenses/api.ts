import { useQuery } from '@tanstack/react-query';
import { addMonths, format, parseISO, startOfMonth } from 'date-fns';
import type { Database } from '#shared/database.types.ts';
import { expensesKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder, type RecordsSearch } from '#web/lib/data/list-search.ts';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { changeOne, recordHooks, withAuthor } from '#web/lib/data/records.ts';
import type { Documented } from '#web/lib/files/documents.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { today } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import {
  EXPENSE_CATEGORY_LABELS,
  PAID_FROM_LABELS,
  REPORT_TYPE_LABELS,
} from '#web/lib/vocabulary/kinds.ts';
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
  { heading: 'Amount', kind: 'amount', value: (row) => row.amount.toFixed(2) },
  { heading: 'Currency', value: (row) => row.currency },
  { heading: 'VAT in It', kind: 'amount', value: (row) => row.vat_amount.toFixed(2) },
  { heading: 'Supplier', value: (row) => row.supplier },
  { heading: 'Paid From', value: (row) => PAID_FROM_LABELS[row.paid_from] },
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

export type ExpenseTotal = Database['public']['Functions']['expense_totals']['Returns'][number];

async function fetchExpenseTotals() {
  const p_to = today();
  const p_from = format(addMonths(startOfMonth(parseISO(p_to)), 1 - CHART_MONTHS), 'yyyy-MM-dd');
  const { data } = await supabase().rpc('expense_totals', { p_from, p_to }).throwOnError();
  return data;
}

/** Sums of the last twelve months, by currency, month and category. */
export const useExpenseTotals = () =>
  useQuery({ queryKey: [...expensesKey, 'totals'], queryFn: fetchExpenseTotals });

export const documentOf = ({ id, receipt_path }: Expense): Documented => ({
  id,
  path: receipt_path,
  store: (path) =>
    changeOne(
      supabase().from('expense_reports').update({ receipt_path: path }).eq('id', id),
      'expense',
    ),
  key: expensesKey,
});
