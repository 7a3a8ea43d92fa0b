// /admin/statements: Bank Statements.
import { BalanceOverview } from '#web/features/accounts/bank-accounts/components/balance-overview.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

export function StatementsScreen() {
  usePageTitle('Bank Statements');
  return <BalanceOverview />;
}
