import { useQuery } from '@tanstack/react-query';
import type { Samples } from '#web/lib/data/import-records.ts';
import { statementsKey } from '#web/lib/data/keys.ts';
import { recordHooks, withAuthor } from '#web/lib/data/records.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn, TableFormat } from '#web/lib/files/write-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type Statement, statementSchema, toForm, toRow } from './schema.ts';

export const statements = recordHooks({
  table: 'financial_statements',
  key: statementsKey,
  name: 'financial statement',
  order: [{ column: 'period_start', ascending: false }],
  schema: statementSchema,
  toForm,
  toColumns: toRow,
  toNewRow: withAuthor,
});

/** Revenue and expenses of the period, from the journal. @param days first and last, yyyy-MM-dd */
export async function fetchFromBooks(days: { from: string; to: string }) {
  const { data } = await supabase()
    .rpc('statement_from_books', { p_from: days.from, p_to: days.to })
    .single()
    .throwOnError();
  return data;
}

/** As many groups of bars as are legible on a phone. */
const CHART_PERIODS = 12;

/** @returns oldest first */
async function fetchProfits() {
  const { data } = await supabase()
    .from('financial_statements')
    .select('id, title, period_start, period_end, total_revenue, total_expenses, net_profit')
    .order('period_start', { ascending: false })
    .order('id')
    .limit(CHART_PERIODS)
    .throwOnError();
  return data.toReversed();
}

/** Revenue, expenses and profit of the latest periods. */
export const useProfits = () =>
  useQuery({ queryKey: [...statementsKey, 'profits'], queryFn: fetchProfits });

export const statementSamples: Samples = {
  table: 'financial_statements',
  key: statementsKey,
  load: async () => (await import('./sample.ts')).sampleStatements,
  nameColumn: 'title',
  nouns: ['financial statement', 'financial statements'],
  success: () => 'Financial statement imported successfully',
  failure: 'Failed to import financial statement. It may already exist.',
};

const EXPORT_COLUMNS: TableColumn<Statement>[] = [
  { heading: 'Title', value: (row) => row.title },
  { heading: 'Period Start', kind: 'day', value: (row) => row.period_start },
  { heading: 'Period End', kind: 'day', value: (row) => row.period_end },
  { heading: 'Revenue (USD)', kind: 'amount', value: (row) => row.total_revenue?.toFixed(2) },
  { heading: 'Expenses (USD)', kind: 'amount', value: (row) => row.total_expenses?.toFixed(2) },
  { heading: 'Net Profit (USD)', kind: 'amount', value: (row) => row.net_profit?.toFixed(2) },
  { heading: 'Notes', value: (row) => row.notes },
];

export const exportStatements = async (format: TableFormat) =>
  downloadTable(format, 'financial-statements', EXPORT_COLUMNS, await statements.fetchAll());
