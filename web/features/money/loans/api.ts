import type { Samples } from '#web/lib/data/import-records.ts';
import { loansKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { NEWEST_FIRST, parseOrder, type RecordsSearch } from '#web/lib/data/list-search.ts';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { recordHooks, withAuthor } from '#web/lib/data/records.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { type Loan, loanSchema, toForm, toRow } from './schema.ts';

export const loans = recordHooks({
  table: 'loans',
  key: loansKey,
  name: 'loan account',
  schema: loanSchema,
  toForm,
  toColumns: toRow,
  toNewRow: withAuthor,
});

export const loanSamples: Samples = {
  table: 'loans',
  key: loansKey,
  load: async () => (await import('./sample.ts')).sampleLoans,
  nameColumn: 'account_title',
  nouns: ['loan account', 'loan accounts'],
  success: () => 'Loan accounts imported successfully',
  failure: 'Failed to import loan accounts. They may already exist.',
};

const SORTS = { title: 'account_title', bank: 'bank_name', balance: 'current_balance' };

const EXPORT_COLUMNS: TableColumn<Loan>[] = [
  { heading: 'Bank Name', value: (row) => row.bank_name },
  { heading: 'Account Title', value: (row) => row.account_title },
  { heading: 'Loan Account Number', value: (row) => row.loan_account_number },
  { heading: 'Account Type', value: (row) => row.account_type },
  { heading: 'Currency', value: (row) => row.currency },
  { heading: 'Opening Balance', kind: 'amount', value: (row) => row.opening_balance?.toFixed(2) },
  { heading: 'Total Debit', kind: 'amount', value: (row) => row.total_debit?.toFixed(2) },
  { heading: 'Total Credit', kind: 'amount', value: (row) => row.total_credit?.toFixed(2) },
  { heading: 'Current Balance', kind: 'amount', value: (row) => row.current_balance?.toFixed(2) },
  { heading: 'Period Start', kind: 'day', value: (row) => row.statement_period_start },
  { heading: 'Period End', kind: 'day', value: (row) => row.statement_period_end },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Notes', value: (row) => row.notes },
];

export const loanList = listQueries('loan accounts', {
  key: loansKey,
  tables: 'loans',
  filters: ['sort'],
  rows: ({ sort }: Pick<RecordsSearch, 'sort'>) => {
    const { column, ascending } = parseOrder(sort, SORTS, NEWEST_FIRST);
    return supabase()
      .from('loans')
      .select('*', { count: 'exact' })
      .order(column, { ascending })
      .order('id');
  },
  columns: EXPORT_COLUMNS,
  pageSize: CARDS_STEP,
});
