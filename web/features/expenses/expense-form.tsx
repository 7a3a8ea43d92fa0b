import type { UseFormReturn } from 'react-hook-form';
import { FieldGrid, fieldsOf } from '#web/components/form/fields.tsx';
import {
  EXPENSE_CATEGORIES,
  EXPENSE_CATEGORY_LABELS,
  REPORT_TYPE_LABELS,
  REPORT_TYPES,
} from '#web/lib/vocabulary/kinds.ts';
import { optionsOf } from '#web/lib/vocabulary/options.ts';
import type { ExpenseForm } from './schema.ts';

const CATEGORIES = optionsOf(EXPENSE_CATEGORIES, EXPENSE_CATEGORY_LABELS);

export function ExpenseFields(form: UseFormReturn<ExpenseForm>) {
  const field = fieldsOf(form);
  return (
    <FieldGrid>
      {field.text('title', 'Title', { wide: true })}
      {field.amount('amount', 'Amount (USD)')}
      {field.day('expense_date', 'Date')}
      {field.select('category', 'Category', CATEGORIES)}
      {field.select('report_type', 'Report Type', optionsOf(REPORT_TYPES, REPORT_TYPE_LABELS))}
      {field.notes('notes', 'Notes')}
    </FieldGrid>
  );
}
