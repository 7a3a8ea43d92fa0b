import {
  AccountList,
  type AccountSearch,
  accountColumns,
  amountColumn,
} from '#web/components/list/account-list.tsx';
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

export const LoanList = (props: AccountSearch) => (
  <AccountList
    {...props}
    list={loanList}
    records={loans}
    samples={loanSamples}
    importLabel="Import Samples"
    table="loans"
    loss="Their amounts leave the bank and cashflow totals."
    columns={loanColumns}
    room={56}
  >
    {(form) => <LoanFields {...form} />}
  </AccountList>
);
