import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { formatDollars, parseCents } from '#shared/money.ts';
import { CalculatedField, createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { amountEntry, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { fetchFromBooks } from './api.ts';
import type { StatementForm } from './schema.ts';

/** Fills the amounts of the period that is entered. Nothing is saved, and everything can be changed. */
function FillButton({ form }: { form: UseFormReturn<StatementForm> }) {
  const [from, to] = form.watch(['period_start', 'period_end']);
  const [note, setNote] = useState<string>();
  const fill = useMutation({
    mutationFn: () => fetchFromBooks({ from, to }),
    onSuccess: ({ total_revenue, total_expenses, lrd_per_usd, has_lrd }) => {
      const changed = { shouldDirty: true, shouldValidate: true };
      form.setValue('total_revenue', amountEntry(total_revenue), changed);
      form.setValue('total_expenses', amountEntry(total_expenses), changed);
      setNote(
        has_lrd
          ? `Filled. Liberian dollars are converted at ${lrd_per_usd} for US$1.`
          : 'Filled. Check the amounts, then save.',
      );
    },
    onError: (error) => showError('The books could not be read', describeError(error)),
  });
  const isReady = from !== '' && to !== '' && to >= from;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:col-span-2">
      <Button
        variant="secondary"
        disabled={!isReady}
        busy={fill.isPending}
        onClick={() => fill.mutate()}
      >
        Fill from the Books
      </Button>
      {/* Not a status: the profit of the form is the one. */}
      <p aria-live="polite" className="text-sm text-muted">
        {isReady ? note : 'Enter the period first.'}
      </p>
    </div>
  );
}

export function StatementFields(form: UseFormReturn<StatementForm>) {
  const [revenue, expenses] = form.watch(['total_revenue', 'total_expenses']).map(amountOrNull);
  const hasProfit = typeof revenue === 'number' && typeof expenses === 'number';
  const field = createFields(form);
  return (
    <FieldGrid>
      {field.text('title', 'Title', { wide: true })}
      {field.day('period_start', 'Period Start')}
      {field.day('period_end', 'Period End')}
      <FillButton form={form} />
      {field.amount('total_revenue', 'Total Revenue (USD)', { optional: true })}
      {field.amount('total_expenses', 'Total Expenses (USD)', { optional: true })}
      <CalculatedField label="Net Profit">
        {hasProfit ? formatDollars(parseCents(revenue) - parseCents(expenses)) : '-'}
      </CalculatedField>
      {field.notes('notes', 'Notes')}
    </FieldGrid>
  );
}
