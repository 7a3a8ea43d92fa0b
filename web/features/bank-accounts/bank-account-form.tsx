import type { UseFormReturn } from 'react-hook-form';
import { AmountInput, CurrencySelect, Options } from '#web/components/form/inputs.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { BANK_ACCOUNT_STATUSES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { BALANCE_TYPES, type BankAccountForm } from './schema.ts';

const BALANCE_LABELS = { Dr: 'Dr (debit, overdraft)', Cr: 'Cr (credit)' };

export function BankAccountFields(form: UseFormReturn<BankAccountForm>) {
  const { register, formState } = form;
  const { errors, defaultValues } = formState;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Account Number" error={errors.account_number?.message}>
        {(control) => <Input {...control} {...register('account_number')} autoComplete="off" />}
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
      <Field label="Current Balance" optional error={errors.current_balance?.message}>
        {(control) => <AmountInput {...control} {...register('current_balance')} />}
      </Field>
      <Field label="Balance Type" error={errors.balance_type?.message}>
        {(control) => (
          <Select {...control} {...register('balance_type')}>
            <Options values={BALANCE_TYPES} labels={BALANCE_LABELS} />
          </Select>
        )}
      </Field>
      <Field label="Statement Period Start" optional error={errors.statement_period_start?.message}>
        {(control) => <Input {...control} {...register('statement_period_start')} type="date" />}
      </Field>
      <Field label="Statement Period End" optional error={errors.statement_period_end?.message}>
        {(control) => <Input {...control} {...register('statement_period_end')} type="date" />}
      </Field>
      <Field label="Status" error={errors.status?.message}>
        {(control) => (
          <Select {...control} {...register('status')}>
            <Options values={BANK_ACCOUNT_STATUSES} labels={STATUS_LABELS} />
          </Select>
        )}
      </Field>
      <Field label="Address" optional error={errors.address?.message}>
        {(control) => <Input {...control} {...register('address')} autoComplete="off" />}
      </Field>
      <Field label="Notes" optional error={errors.notes?.message} className="sm:col-span-2">
        {(control) => <Textarea {...control} {...register('notes')} rows={3} />}
      </Field>
    </div>
  );
}
