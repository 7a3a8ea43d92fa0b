// /admin/loans: Loan Accounts.
import { LoanBoard } from '#web/features/accounts/loans/components/loan-board.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

export function LoansScreen() {
  usePageTitle('Loan Accounts');
  return <LoanBoard />;
}
