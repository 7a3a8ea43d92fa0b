import {
  AccountList,
  type AccountSearch,
  accountColumns,
} from '#web/components/list/account-list.tsx';
import { bankAccountList, bankAccountSamples, bankAccounts } from './api.ts';
import { BankAccountFields } from './bank-account-form.tsx';
import type { BankAccount } from './schema.ts';

const bankAccountColumns = accountColumns<BankAccount>((row) => row.account_number);

export const BankAccountList = (props: AccountSearch) => (
  <AccountList
    {...props}
    list={bankAccountList}
    records={bankAccounts}
    samples={bankAccountSamples}
    importLabel="Import Sample"
    table="bank_accounts"
    loss="Their balances leave the bank and cashflow totals."
    columns={bankAccountColumns}
    room={52}
  >
    {(form) => <BankAccountFields {...form} />}
  </AccountList>
);
