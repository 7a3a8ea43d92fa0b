import { useState } from 'react';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import {
  accountColumns,
  accountConsequence,
  amountColumn,
} from '#web/components/list/account-columns.tsx';
import { deleteAction } from '#web/components/list/delete-action.ts';
import type { BulkActions } from '#web/components/list/list-actions.ts';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { SampleImport } from '#web/components/list/sample-import.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import type { ChangeSearch, RecordsSearch } from '#web/lib/data/list-search.ts';
import { loanList, loanSamples, loans } from './api.ts';
import { LoanFields } from './loan-form.tsx';
import type { Loan } from './schema.ts';

const loanColumns = accountColumns<Loan>(
  (row) => row.loan_account_number,
  [
    amountColumn('Total Debit', (row) => row.total_debit),
    amountColumn('Total Credit', (row) => row.total_credit),
  ],
);

const nameOf = (row: Loan) => `loan account ${row.account_title}`;

const BULK: BulkActions<Loan> = {
  noun: ['loan account', 'loan accounts'],
  nameOf,
  actions: [deleteAction('loans', () => 'Their amounts leave the bank and cashflow totals.')],
};

type LoanListProps = { search: RecordsSearch; onChange: ChangeSearch<RecordsSearch> };

export function LoanList({ search, onChange }: LoanListProps) {
  const screen = loanList.useScreen(search, onChange);
  const [deleting, setDeleting] = useState<Loan>();
  return (
    <ListScreen
      {...screen}
      title="Loan Accounts"
      buttons={
        <SampleImport
          label="Import Samples"
          samples={loanSamples}
          total={screen.query.data?.total}
        />
      }
      addLabel="Add Loan Account"
      dense
      room={56}
      Table={TableRows}
      columns={loanColumns}
      actions={{ nameOf, onDelete: setDeleting }}
      bulk={BULK}
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
          consequence={accountConsequence(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </ListScreen>
  );
}
