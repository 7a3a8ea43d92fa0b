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
import { bankAccountList, bankAccounts, importSampleBankAccount } from './api.ts';
import { BankAccountFields } from './bank-account-form.tsx';
import type { BankAccount } from './schema.ts';

const AMOUNT = 'text-right tabular-nums whitespace-nowrap';

const bankAccountColumns: Column<BankAccount>[] = [
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
  {
    header: 'Bank Name',
    sort: 'bank',
    cell: (row) => (
      <>
        {row.bank_name}
        <SecondLine>{row.address}</SecondLine>
      </>
    ),
  },
  {
    header: 'Account Number',
    className: 'whitespace-nowrap',
    cell: (row) => <AccountNumber number={row.account_number} />,
  },
  {
    header: 'Statement Period',
    className: 'whitespace-nowrap',
    cell: (row) => formatPeriod(row.statement_period_start, row.statement_period_end),
  },
  {
    header: 'Current Balance',
    className: `${AMOUNT} font-semibold`,
    sort: 'balance',
    cell: (row) =>
      row.current_balance === null
        ? '-'
        : `${row.currency} ${formatAmount(row.current_balance)} ${row.balance_type}`,
  },
  { header: 'Status', card: 'aside', cell: (row) => <StatusBadge status={row.status} /> },
];

const nameOf = (row: BankAccount) => `bank account ${row.account_title}`;

type BankAccountListProps = { search: RecordsSearch; onChange: ChangeSearch<RecordsSearch> };

export function BankAccountList({ search, onChange }: BankAccountListProps) {
  const [deleting, setDeleting] = useState<BankAccount>();
  return (
    <ListScreen
      {...bankAccountList.useScreen(search, onChange)}
      title="Bank Accounts"
      noun="bank accounts"
      buttons={
        <ImportButton
          label="Import Sample"
          importRecords={importSampleBankAccount}
          success={() => 'Bank account imported successfully'}
        />
      }
      addLabel="Add Bank Account"
      dense
      room={52}
      columns={bankAccountColumns}
      actions={{ nameOf, onDelete: setDeleting }}
      dialog={(opened) => (
        <RecordDialog {...opened} records={bankAccounts} invalid="Validation Error">
          {(form) => <BankAccountFields {...form} />}
        </RecordDialog>
      )}
    >
      {deleting && (
        <DeleteRecordDialog
          records={bankAccounts}
          id={deleting.id}
          consequence={`${deleting.account_title} at ${deleting.bank_name} leaves the list, and its amounts leave the bank and cashflow totals.`}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </ListScreen>
  );
}
