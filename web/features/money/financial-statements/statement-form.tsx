import type { UseFormReturn } from 'react-hook-form';
import { formatDollars, parseCents } from '#shared/money.ts';
import { CalculatedField, createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import type { StatementForm } from './schema.ts';

export function StatementFields(form: UseFormReturn<StatementForm>) {
  const [revenue, expenses] = form.watch(['total_revenue', 'total_expenses']).map(amountOrNull);
  const hasProfit = typeof revenue === 'number' && typeof expenses === 'number';
  const field = createFields(form);
  return (
    <FieldGrid>
      {field.text('title', 'Title', { wide: true })}
      {field.day('period_start', 'Period Start')}
      {field.day('period_end', 'Period End')}
      {field.amount('total_revenue', 'Total Revenue (USD)', { optional: true })}
      {field.amount('total_expenses', 'Total Expenses (USD)', { optional: true })}
      <CalculatedField label="Net Profit">
        {hasProfit ? formatDollars(parseCents(revenue) - parseCents(expenses)) : '-'}
      </CalculatedField>
      {field.notes('notes', 'Notes')}
    </FieldGrid>
  );
}
