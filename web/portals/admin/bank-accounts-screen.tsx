// /admin/bankaccounts: Bank Accounts.
import { BankAccountBoard } from '#web/features/accounts/bank-accounts/components/bank-account-board.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

export function BankAccountsScreen() {
  usePageTitle('Bank Accounts');
  return <BankAccountBoard />;
}
