// All bank accounts as a CSV file.

import { type CsvColumn, downloadCsv } from '#web/lib/files/csv.ts';
import { STATUS_LABELS } from '../../status.ts';
import type { BankAccount } from '../schema.ts';
import { everyBankAccount } from './every-bank-account.ts';

const COLUMNS: CsvColumn<BankAccount>[] = [
  { heading: 'Bank Name', value: (row) => row.bank_name },
  { heading: 'Account Title', value: (row) => row.account_title },
  { heading: 'Account Number', value: (row) => row.account_number },
  { heading: 'Currency', value: (row) => row.currency },
  { heading: 'Current Balance', value: (row) => row.current_balance?.toFixed(2) },
  { heading: 'Balance Type', value: (row) => row.balance_type },
  { heading: 'Period Start', value: (row) => row.statement_period_start },
  { heading: 'Period End', value: (row) => row.statement_period_end },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Address', value: (row) => row.address },
  { heading: 'Notes', value: (row) => row.notes },
];

export async function exportBankAccounts(): Promise<void> {
  await downloadCsv('bank-accounts', COLUMNS, await everyBankAccount());
}
