import { useState } from 'react';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { accountColumns, accountConsequence } from '#web/components/list/account-columns.tsx';
import { deleteAction } from '#web/components/list/delete-action.ts';
import type { BulkActions } from '#web/components/list/list-actions.ts';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { SampleImport } from '#web/components/list/sample-import.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import type { ChangeSearch, RecordsSearch } from '#web/lib/data/list-search.ts';
import { bankAccountList, bankAccountSamples, bankAccounts } from './api.ts';
import { BankAccountFields } from './bank-account-form.tsx';
import type { BankAccount } from './schema.ts';

const bankAccountColumns = accountColumns<BankAccount>((row) => row.account_number);

const nameOf = (row: BankAccount) => `bank account ${row.account_title}`;

const BULK: BulkActions<BankAccount> = {
  noun: ['bank account', 'bank accounts'],
  nameOf,
  actions: [
    deleteAction('bank_accounts', () => 'Their balances leave the bank and cashflow totals.'),
  ],
};

type BankAccountListProps = { search: RecordsSearch; onChange: ChangeSearch<RecordsSearch> };

export function BankAccountList({ search, onChange }: BankAccountListProps) {
  const screen = bankAccountList.useScreen(search, onChange);
  const [deleting, setDeleting] = useState<BankAccount>();
  return (
    <ListScreen
      {...screen}
      title="Bank Accounts"
      buttons={
        <SampleImport
          label="Import Sample"
          samples={bankAccountSamples}
          total={screen.query.data?.total}
        />
      }
      addLabel="Add Bank Account"
      dense
      room={52}
      Table={TableRows}
      columns={bankAccountColumns}
      actions={{ nameOf, onDelete: setDeleting }}
      bulk={BULK}
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
          consequence={accountConsequence(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </ListScreen>
  );
}
