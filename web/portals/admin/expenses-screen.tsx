// /admin/expenses: Expense Reports.
import { ExpenseBoard } from '#web/features/expenses/components/expense-board.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

export function ExpensesScreen() {
  usePageTitle('Expense Reports');
  return <ExpenseBoard />;
}
