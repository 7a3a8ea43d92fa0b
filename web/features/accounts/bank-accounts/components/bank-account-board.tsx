// Bank Accounts: the cards and their dialogs.
import { Plus } from 'lucide-react';
import { DeleteDialog } from '#web/components/records/delete-dialog.tsx';
import { EntryDialog } from '#web/components/records/entry-dialog.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ImportButton } from '#web/components/records/import-button.tsx';
import { RecordList } from '#web/components/records/record-list.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import { latestOf, useBoard } from '#web/components/records/use-board.ts';
import { Button } from '#web/components/ui/button.tsx';
import { useDeleteBankAccount } from '../api/delete-bank-account.ts';
import { exportBankAccounts } from '../api/export-bank-accounts.ts';
import { useImportBankAccounts } from '../api/import-bank-accounts.ts';
import { useBankAccounts } from '../api/list-bank-accounts.ts';
import { useRestoreBankAccount } from '../api/restore-bank-account.ts';
import { useSaveBankAccount } from '../api/save-bank-account.ts';
import { type BankAccount, bankAccountSchema, emptyForm, formOf } from '../schema.ts';
import { BankAccountCard } from './bank-account-card.tsx';
import { BankAccountFields } from './bank-account-fields.tsx';

export function BankAccountBoard() {
  const board = useBoard<BankAccount>();
  const query = useBankAccounts(board.limit);
  const save = useSaveBankAccount();
  const remove = useDeleteBankAccount();
  const restore = useRestoreBankAccount();
  const { deleting } = board;
  const changed = board.entry === 'new' ? undefined : board.entry;
  return (
    <>
      <ScreenHeading title="Bank Accounts">
        <ExportButton exportRecords={exportBankAccounts} />
        <ImportButton
          label="Import Sample"
          importRecords={useImportBankAccounts()}
          success={() => 'Bank account imported successfully'}
        />
        <Button onClick={() => board.open('new')}>
          <Plus aria-hidden="true" className="size-4.5" />
          Add Bank Account
        </Button>
      </ScreenHeading>
      <RecordList
        query={query}
        loadingText="Loading bank accounts..."
        emptyText="No bank accounts yet. Add the first one above."
        moreLabel="Show older bank accounts"
        onMore={board.showMore}
        renderCard={(account) => (
          <BankAccountCard
            account={account}
            onEdit={() => board.open(account)}
            onDelete={() => board.ask(account)}
          />
        )}
      />
      {board.entry && (
        <EntryDialog
          title={changed ? 'Edit Bank Account' : 'Add Bank Account'}
          schema={bankAccountSchema}
          defaultValues={changed ? formOf(changed) : emptyForm}
          latest={changed && formOf(latestOf(changed, query.data?.rows))}
          submitLabel={changed ? 'Save Changes' : 'Add Bank Account'}
          invalid="Validation Error"
          save={(form) => save.mutateAsync({ id: changed?.id, form })}
          success={`Bank account ${changed ? 'updated' : 'created'} successfully`}
          onClose={board.close}
        >
          {(form) => <BankAccountFields {...form} />}
        </EntryDialog>
      )}
      {deleting && (
        <DeleteDialog
          title="Delete Bank Account"
          question="Are you sure you want to delete this bank account?"
          consequence={`${deleting.account_title} at ${deleting.bank_name} leaves the list, and its amounts leave the bank and cashflow totals.`}
          remove={() => remove.mutateAsync(deleting.id)}
          deleted="Bank account deleted successfully"
          undo={{ restore: restore.mutateAsync, restored: 'Bank account restored' }}
          onClose={board.stopAsking}
        />
      )}
    </>
  );
}
