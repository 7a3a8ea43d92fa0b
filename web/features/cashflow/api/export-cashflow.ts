// The cashflow of every currency as a CSV file.
import { formatCents } from '#shared/money.ts';
import { downloadCsv } from '#web/lib/files/csv.ts';
import type { Cashflow } from '../figures.ts';

/** For spreadsheets: no thousands commas. */
const plain = (cents: bigint) => formatCents(cents).replaceAll(',', '');

export function exportCashflow(rows: Cashflow[]): Promise<void> {
  return downloadCsv(
    'cashflow-statement',
    [
      { heading: 'Currency', value: (row) => row.currency },
      { heading: 'Total Inflows', value: (row) => plain(row.inflows) },
      { heading: 'Total Outflows', value: (row) => plain(row.outflows) },
      { heading: 'Net Cashflow', value: (row) => plain(row.net) },
      { heading: 'Bank Account Balance', value: (row) => plain(row.bank_balance) },
      { heading: 'Loan Balance', value: (row) => plain(row.loan_balance) },
    ],
    rows,
  );
}
