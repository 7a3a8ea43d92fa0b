// /admin/expenses: Expense Reports.
import { ExpenseList } from '#web/features/expenses/expense-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

export function ExpensesScreen() {
  usePageTitle('Expense Reports');
  return <ExpenseList />;
}
