// /admin/cashflow: Cashflow Statement.
import { CashflowStatement } from '#web/features/cashflow/components/cashflow-statement.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

export function CashflowScreen() {
  usePageTitle('Cashflow Statement');
  return <CashflowStatement />;
}
