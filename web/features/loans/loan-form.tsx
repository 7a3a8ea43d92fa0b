import type { UseFormReturn } from 'react-hook-form';
import { AmountInput, CurrencySelect, Options } from '#web/components/form/inputs.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { LOAN_STATUSES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import type { LoanForm } from './schema.ts';

const AMOUNTS = [
  ['opening_balance', 'Opening Balance'],
  ['current_balance', 'Current Balance'],
  ['total_debit', 'Total Debit'],
  ['total_credit', 'Total Credit'],
] as const;

export function LoanFields({ register, formState }: UseFormReturn<LoanForm>) {
  const { errors, defaultValues } = formState;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Loan Account Number" error={errors.loan_account_number?.message}>
        {(control) => (
          <Input {...control} {...register('loan_account_number')} autoComplete="off" />
        )}
      </Field>
      <Field label="Account Title" error={errors.account_title?.message}>
        {(control) => <Input {...control} {...register('account_title')} autoComplete="off" />}
      </Field>
      <Field label="Bank Name" error={errors.bank_name?.message}>
        {(control) => <Input {...control} {...register('bank_name')} autoComplete="off" />}
      </Field>
      <Field label="Currency" error={errors.currency?.message}>
        {(control) => (
          <CurrencySelect
            {...control}
            {...register('currency')}
            current={defaultValues?.currency}
          />
        )}
      </Field>
      {AMOUNTS.map(([name, label]) => (
        <Field key={name} label={label} optional error={errors[name]?.message}>
          {(control) => <AmountInput {...control} {...register(name)} />}
        </Field>
      ))}
      <Field label="Statement Period Start" optional error={errors.statement_period_start?.message}>
        {(control) => <Input {...control} {...register('statement_period_start')} type="date" />}
      </Field>
      <Field label="Statement Period End" optional error={errors.statement_period_end?.message}>
        {(control) => <Input {...control} {...register('statement_period_end')} type="date" />}
      </Field>
      <Field
        label="Account Type"
        optional
        hint="For example CURRENT or OVERDRAFT"
        error={errors.account_type?.message}
      >
        {(control) => <Input {...control} {...register('account_type')} autoComplete="off" />}
      </Field>
      <Field label="Status" error={errors.status?.message}>
        {(control) => (
          <Select {...control} {...register('status')}>
            <Options values={LOAN_STATUSES} labels={STATUS_LABELS} />
          </Select>
        )}
      </Field>
      <Field label="Notes" optional error={errors.notes?.message} className="sm:col-span-2">
        {(control) => <Textarea {...control} {...register('notes')} rows={3} />}
      </Field>
    </div>
  );
}
