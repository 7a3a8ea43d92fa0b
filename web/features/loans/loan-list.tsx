import { useState } from 'react';
import { formatAmount } from '#shared/money.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import type { Column } from '#web/components/list/columns.tsx';
import { ImportButton } from '#web/components/list/list-buttons.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { SecondLine } from '#web/components/list/second-line.tsx';
import { AccountNumber } from '#web/components/ui/account-number.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import type { ChangeSearch, RecordsSearch } from '#web/lib/data/list-search.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { importSampleLoans, loanList, loans } from './api.ts';
import { LoanFields } from './loan-form.tsx';
import type { Loan } from './schema.ts';

const AMOUNT = 'text-right tabular-nums whitespace-nowrap';

const amountOf = (amount: number | null) => (amount === null ? '-' : formatAmount(amount));

const loanColumns: Column<Loan>[] = [
  {
    header: 'Account Title',
    card: 'title',
    className: 'font-semibold',
    sort: 'title',
    cell: (row) => (
      <>
        {row.account_title}
        <SecondLine>{row.notes}</SecondLine>
      </>
    ),
  },
  { header: 'Bank Name', sort: 'bank', cell: (row) => row.bank_name },
  {
    header: 'Account Number',
    className: 'whitespace-nowrap',
    cell: (row) => <AccountNumber number={row.loan_account_number} />,
  },
  {
    header: 'Statement Period',
    className: 'whitespace-nowrap',
    cell: (row) => formatPeriod(row.statement_period_start, row.statement_period_end),
  },
  { header: 'Account Type', cell: (row) => row.account_type },
  { header: 'Opening Balance', className: AMOUNT, cell: (row) => amountOf(row.opening_balance) },
  { header: 'Total Debit', className: AMOUNT, cell: (row) => amountOf(row.total_debit) },
  { header: 'Total Credit', className: AMOUNT, cell: (row) => amountOf(row.total_credit) },
  {
    header: 'Current Balance',
    className: `${AMOUNT} font-semibold`,
    sort: 'balance',
    cell: (row) =>
      row.current_balance === null ? '-' : `${row.currency} ${formatAmount(row.current_balance)}`,
  },
  { header: 'Status', card: 'aside', cell: (row) => <StatusBadge status={row.status} /> },
];

const nameOf = (row: Loan) => `loan account ${row.account_title}`;

type LoanListProps = { search: RecordsSearch; onChange: ChangeSearch<RecordsSearch> };

export function LoanList({ search, onChange }: LoanListProps) {
  const [deleting, setDeleting] = useState<Loan>();
  return (
    <ListScreen
      {...loanList.useScreen(search, onChange)}
      title="Loan Accounts"
      noun="loan accounts"
      buttons={
        <ImportButton
          label="Import Samples"
          importRecords={importSampleLoans}
          success={() => 'Loan accounts imported successfully'}
        />
      }
      addLabel="Add Loan Account"
      dense
      room={56}
      columns={loanColumns}
      actions={{ nameOf, onDelete: setDeleting }}
      dialog={(opened) => (
        <RecordDialog {...opened} records={loans} invalid="Validation Error">
          {(form) => <LoanFields {...form} />}
        </RecordDialog>
      )}
    >
      {deleting && (
        <DeleteRecordDialog
          records={loans}
          id={deleting.id}
          consequence={`${deleting.account_title} at ${deleting.bank_name} leaves the list, and its amounts leave the bank and cashflow totals.`}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </ListScreen>
  );
}
