// Names everything that is kept of the expenses, so that one change makes all of it load again.
export const expensesKey = ['expense_reports'] as const;
