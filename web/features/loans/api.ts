import { importSample } from '#web/lib/data/import-records.ts';
import { loansKey } from '#web/lib/data/keys.ts';
import { recordHooks, withAuthor } from '#web/lib/data/records.ts';
import { type CsvColumn, downloadCsv } from '#web/lib/files/csv.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { formOf, type Loan, loanSchema, rowOf } from './schema.ts';

export const loans = recordHooks({
  table: 'loans',
  key: loansKey,
  name: 'loan account',
  order: [{ column: 'created_at', ascending: false }],
  schema: loanSchema,
  formOf,
  toColumns: rowOf,
  toNewRow: withAuthor,
});

export const importSampleLoans = async () =>
  importSample(
    'loans',
    (await import('./sample.ts')).sampleLoans,
    'Failed to import loan accounts. They may already exist.',
  );

const CSV_COLUMNS: CsvColumn<Loan>[] = [
  { heading: 'Bank Name', value: (row) => row.bank_name },
  { heading: 'Account Title', value: (row) => row.account_title },
  { heading: 'Loan Account Number', value: (row) => row.loan_account_number },
  { heading: 'Account Type', value: (row) => row.account_type },
  { heading: 'Currency', value: (row) => row.currency },
  { heading: 'Opening Balance', value: (row) => row.opening_balance?.toFixed(2) },
  { heading: 'Total Debit', value: (row) => row.total_debit?.toFixed(2) },
  { heading: 'Total Credit', value: (row) => row.total_credit?.toFixed(2) },
  { heading: 'Current Balance', value: (row) => row.current_balance?.toFixed(2) },
  { heading: 'Period Start', value: (row) => row.statement_period_start },
  { heading: 'Period End', value: (row) => row.statement_period_end },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Notes', value: (row) => row.notes },
];

export const exportLoans = async () =>
  downloadCsv('loan-accounts', CSV_COLUMNS, await loans.fetchAll());
