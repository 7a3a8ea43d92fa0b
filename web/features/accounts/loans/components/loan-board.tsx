// Loan Accounts: the cards and their dialogs.
import { Plus } from 'lucide-react';
import { DeleteDialog } from '#web/components/records/delete-dialog.tsx';
import { EntryDialog } from '#web/components/records/entry-dialog.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ImportButton } from '#web/components/records/import-button.tsx';
import { RecordList } from '#web/components/records/record-list.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import { latestOf, useBoard } from '#web/components/records/use-board.ts';
import { Button } from '#web/components/ui/button.tsx';
import { useDeleteLoan } from '../api/delete-loan.ts';
import { exportLoans } from '../api/export-loans.ts';
import { useImportLoans } from '../api/import-loans.ts';
import { useLoans } from '../api/list-loans.ts';
import { useRestoreLoan } from '../api/restore-loan.ts';
import { useSaveLoan } from '../api/save-loan.ts';
import { emptyForm, formOf, type Loan, loanSchema } from '../schema.ts';
import { LoanCard } from './loan-card.tsx';
import { LoanFields } from './loan-fields.tsx';

export function LoanBoard() {
  const board = useBoard<Loan>();
  const query = useLoans(board.limit);
  const save = useSaveLoan();
  const remove = useDeleteLoan();
  const restore = useRestoreLoan();
  const { deleting } = board;
  const changed = board.entry === 'new' ? undefined : board.entry;
  return (
    <>
      <ScreenHeading title="Loan Accounts">
        <ExportButton exportRecords={exportLoans} />
        <ImportButton
          label="Import Samples"
          importRecords={useImportLoans()}
          success={() => 'Loan accounts imported successfully'}
        />
        <Button onClick={() => board.open('new')}>
          <Plus aria-hidden="true" className="size-4.5" />
          Add Loan Account
        </Button>
      </ScreenHeading>
      <RecordList
        query={query}
        loadingText="Loading loan accounts..."
        emptyText="No loan accounts yet. Add the first one above."
        moreLabel="Show older loan accounts"
        onMore={board.showMore}
        renderCard={(loan) => (
          <LoanCard loan={loan} onEdit={() => board.open(loan)} onDelete={() => board.ask(loan)} />
        )}
      />
      {board.entry && (
        <EntryDialog
          title={changed ? 'Edit Loan Account' : 'Add Loan Account'}
          schema={loanSchema}
          defaultValues={changed ? formOf(changed) : emptyForm}
          latest={changed && formOf(latestOf(changed, query.data?.rows))}
          submitLabel={changed ? 'Save Changes' : 'Add Loan Account'}
          invalid="Validation Error"
          save={(form) => save.mutateAsync({ id: changed?.id, form })}
          success={`Loan account ${changed ? 'updated' : 'created'} successfully`}
          onClose={board.close}
        >
          {(form) => <LoanFields {...form} />}
        </EntryDialog>
      )}
      {deleting && (
        <DeleteDialog
          title="Delete Loan Account"
          question="Are you sure you want to delete this loan account?"
          consequence={`${deleting.account_title} at ${deleting.bank_name} leaves the list, and its amounts leave the bank and cashflow totals.`}
          remove={() => remove.mutateAsync(deleting.id)}
          deleted="Loan account deleted successfully"
          undo={{ restore: restore.mutateAsync, restored: 'Loan account restored' }}
          onClose={board.stopAsking}
        />
      )}
    </>
  );
}
