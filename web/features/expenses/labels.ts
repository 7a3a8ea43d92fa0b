import type { Expense } from './schema.ts';

export const CATEGORY_LABELS: Record<Expense['category'], string> = {
  operations: 'Operations',
  payroll: 'Payroll',
  equipment: 'Equipment',
  training: 'Training',
  transport: 'Transport',
  utilities: 'Utilities',
  other: 'Other',
};

export const TYPE_LABELS: Record<Expense['report_type'], string> = {
  daily: 'Daily',
  monthly: 'Monthly',
};
