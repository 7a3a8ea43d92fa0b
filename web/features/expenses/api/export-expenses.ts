// All expenses as a CSV file.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { CATEGORY_LABELS, TYPE_LABELS } from '../labels.ts';
import type { Expense } from '../schema.ts';

const COLUMNS: CsvColumn<Expense>[] = [
  { heading: 'Date', value: (row) => row.expense_date },
  { heading: 'Title', value: (row) => row.title },
  { heading: 'Category', value: (row) => CATEGORY_LABELS[row.category] },
  { heading: 'Report Type', value: (row) => TYPE_LABELS[row.report_type] },
  { heading: 'Amount (USD)', value: (row) => row.amount.toFixed(2) },
  { heading: 'Notes', value: (row) => row.notes },
];

export async function exportExpenses(): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('expense_reports')
      .select()
      .order('expense_date', { ascending: false })
      .order('id')
      .range(from, to)
      .throwOnError();
    return data;
  });
  await downloadCsv('expense-reports', COLUMNS, rows);
}
