import type { UseFormReturn } from 'react-hook-form';
import { centsOf, formatDollars } from '#shared/money.ts';
import { AmountInput } from '#web/components/form/inputs.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import type { StatementForm } from './schema.ts';

export function StatementFields({ register, watch, formState }: UseFormReturn<StatementForm>) {
  const { errors } = formState;
  const [revenue, expenses] = watch(['total_revenue', 'total_expenses']).map(amountOrNull);
  const hasProfit = typeof revenue === 'number' && typeof expenses === 'number';
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Title" error={errors.title?.message} className="sm:col-span-2">
        {(control) => <Input {...control} {...register('title')} autoComplete="off" />}
      </Field>
      <Field label="Period Start" error={errors.period_start?.message}>
        {(control) => <Input {...control} {...register('period_start')} type="date" />}
      </Field>
      <Field label="Period End" error={errors.period_end?.message}>
        {(control) => <Input {...control} {...register('period_end')} type="date" />}
      </Field>
      <Field label="Total Revenue (USD)" optional error={errors.total_revenue?.message}>
        {(control) => <AmountInput {...control} {...register('total_revenue')} />}
      </Field>
      <Field label="Total Expenses (USD)" optional error={errors.total_expenses?.message}>
        {(control) => <AmountInput {...control} {...register('total_expenses')} />}
      </Field>
      <p className="flex items-baseline justify-between gap-4 rounded-sm bg-sunken px-4 py-3 sm:col-span-2">
        <span className="text-muted">Net Profit</span>
        <output className="font-semibold tabular-nums">
          {hasProfit ? formatDollars(centsOf(revenue) - centsOf(expenses)) : '-'}
        </output>
      </p>
      <Field label="Notes" optional error={errors.notes?.message} className="sm:col-span-2">
        {(control) => <Textarea {...control} {...register('notes')} rows={3} />}
      </Field>
    </div>
  );
}
