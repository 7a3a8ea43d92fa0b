// All loan accounts as a CSV file.

import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { STATUS_LABELS } from '../../status.ts';
import type { Loan } from '../schema.ts';

const COLUMNS: CsvColumn<Loan>[] = [
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

export async function exportLoans(): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('loans')
      .select()
      .order('created_at', { ascending: false })
      .order('id')
      .range(from, to)
      .throwOnError();
    return data;
  });
  await downloadCsv('loan-accounts', COLUMNS, rows);
}
