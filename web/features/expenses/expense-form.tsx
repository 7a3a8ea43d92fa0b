import type { UseFormReturn } from 'react-hook-form';
import { AmountInput, Options } from '#web/components/form/inputs.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import {
  EXPENSE_CATEGORIES,
  EXPENSE_CATEGORY_LABELS,
  REPORT_TYPE_LABELS,
  REPORT_TYPES,
} from '#web/lib/vocabulary/kinds.ts';
import type { ExpenseForm } from './schema.ts';

export function ExpenseFields({ register, formState: { errors } }: UseFormReturn<ExpenseForm>) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Title" error={errors.title?.message} className="sm:col-span-2">
        {(control) => <Input {...control} {...register('title')} autoComplete="off" />}
      </Field>
      <Field label="Amount (USD)" error={errors.amount?.message}>
        {(control) => <AmountInput {...control} {...register('amount')} />}
      </Field>
      <Field label="Date" error={errors.expense_date?.message}>
        {(control) => <Input {...control} {...register('expense_date')} type="date" />}
      </Field>
      <Field label="Category" error={errors.category?.message}>
        {(control) => (
          <Select {...control} {...register('category')}>
            <Options values={EXPENSE_CATEGORIES} labels={EXPENSE_CATEGORY_LABELS} />
          </Select>
        )}
      </Field>
      <Field label="Report Type" error={errors.report_type?.message}>
        {(control) => (
          <Select {...control} {...register('report_type')}>
            <Options values={REPORT_TYPES} labels={REPORT_TYPE_LABELS} />
          </Select>
        )}
      </Field>
      <Field label="Notes" optional error={errors.notes?.message} className="sm:col-span-2">
        {(control) => <Textarea {...control} {...register('notes')} rows={3} />}
      </Field>
    </div>
  );
}
