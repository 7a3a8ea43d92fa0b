import type { UseFormReturn } from 'react-hook-form';
import { EXPENSE_REPORTS_CATEGORY, EXPENSE_REPORTS_REPORT_TYPE } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { useSiteOptions } from '#web/lib/data/lookups.ts';
import { EXPENSE_CATEGORY_LABELS, REPORT_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import type { ExpenseForm } from './schema.ts';

const CATEGORIES = toOptions(EXPENSE_REPORTS_CATEGORY, EXPENSE_CATEGORY_LABELS);

export function ExpenseFields({ form }: { form: UseFormReturn<ExpenseForm> }) {
  const field = createFields(form);
  const { data: sites = [] } = useSiteOptions();
  return (
    <FieldGrid>
      {field.text('title', 'Title', { wide: true })}
      {field.amount('amount', 'Amount (USD)')}
      {field.day('expense_date', 'Date')}
      {field.select('category', 'Category', CATEGORIES)}
      {field.select(
        'report_type',
        'Report Type',
        toOptions(EXPENSE_REPORTS_REPORT_TYPE, REPORT_TYPE_LABELS),
      )}
      {field.select(
        'site_id',
        'Site',
        sites.map(({ id, name }) => [id, name]),
        {
          optional: true,
          empty: 'The whole company',
          isSearched: true,
          wide: true,
          hint: 'An expense of one site lowers its margin.',
        },
      )}
      {field.notes('notes', 'Notes')}
    </FieldGrid>
  );
}
