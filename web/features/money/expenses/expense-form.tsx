import type { UseFormReturn } from 'react-hook-form';
import {
  EXPENSE_REPORTS_CATEGORY,
  EXPENSE_REPORTS_CURRENCY,
  EXPENSE_REPORTS_PAID_FROM,
  EXPENSE_REPORTS_REPORT_TYPE,
} from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { useSiteOptions } from '#web/lib/data/lookups.ts';
import { isRegisteredOn, useRegistrations } from '#web/lib/data/vat-registrations.ts';
import {
  EXPENSE_CATEGORY_LABELS,
  PAID_FROM_LABELS,
  REPORT_TYPE_LABELS,
} from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import type { ExpenseForm } from './schema.ts';

const CATEGORIES = toOptions(EXPENSE_REPORTS_CATEGORY, EXPENSE_CATEGORY_LABELS);

export function ExpenseFields({ form }: { form: UseFormReturn<ExpenseForm> }) {
  const field = createFields(form);
  const { data: sites = [] } = useSiteOptions();
  const { data: registrations = [] } = useRegistrations();
  const day = form.watch('expense_date');
  const isRegistered =
    form.watch('vat_amount') !== '' || registrations.some((each) => isRegisteredOn(each, day));
  return (
    <FieldGrid>
      {field.text('title', 'Title', { wide: true })}
      {field.amount('amount', `Amount (${form.watch('currency')})`)}
      {field.select(
        'currency',
        'Currency',
        EXPENSE_REPORTS_CURRENCY.map((each) => [each, each]),
      )}
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
      {field.text('supplier', 'Supplier', { optional: true })}
      {field.select(
        'paid_from',
        'Paid From',
        toOptions(EXPENSE_REPORTS_PAID_FROM, PAID_FROM_LABELS),
      )}
      {isRegistered && (
        <>
          {field.amount('vat_amount', `VAT in it (${form.watch('currency')})`, {
            optional: true,
            hint: 'As on the supplier’s VAT invoice. It is claimed with the next return.',
          })}
          {field.text('supplier_tin', 'Supplier’s Tax Number', { optional: true })}
        </>
      )}
      {field.notes('notes', 'Notes')}
    </FieldGrid>
  );
}
