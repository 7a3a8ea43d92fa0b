/** Whose changes the books show. */
export const BOOKED_TABLES = [
  'invoices',
  'credit_notes',
  'receipts',
  'refunds',
  'pay_runs',
  'payments',
  'payroll',
  'staff_ledger',
  'expense_reports',
  'vat_returns',
  'pay_returns',
  'book_entries',
] as const;
