// /admin/financials: Financial Statements.
import { StatementBoard } from '#web/features/financial-statements/components/statement-board.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

export function FinancialsScreen() {
  usePageTitle('Financial Statements');
  return <StatementBoard />;
}
