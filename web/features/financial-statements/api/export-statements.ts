// All statements as a CSV file.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Statement } from '../schema.ts';

const COLUMNS: CsvColumn<Statement>[] = [
  { heading: 'Title', value: (row) => row.title },
  { heading: 'Period Start', value: (row) => row.period_start },
  { heading: 'Period End', value: (row) => row.period_end },
  { heading: 'Revenue (USD)', value: (row) => row.total_revenue?.toFixed(2) },
  { heading: 'Expenses (USD)', value: (row) => row.total_expenses?.toFixed(2) },
  { heading: 'Net Profit (USD)', value: (row) => row.net_profit?.toFixed(2) },
  { heading: 'Notes', value: (row) => row.notes },
];

export async function exportStatements(): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('financial_statements')
      .select()
      .order('period_start', { ascending: false })
      .order('id')
      .range(from, to)
      .throwOnError();
    return data;
  });
  await downloadCsv('financial-statements', COLUMNS, rows);
}
