import type { UseFormReturn } from 'react-hook-form';
import { formatDollars } from '#shared/money.ts';
import { AmountInput, Options } from '#web/components/form/inputs.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { wholeNumberOf } from '#web/lib/form-fields/whole-number-field.ts';
import { PAYMENT_METHOD_LABELS, PAYMENT_METHODS } from '#web/lib/vocabulary/kinds.ts';
import { ratePerGuard } from './rules.ts';
import { type ClientForm, clientSchema } from './schema.ts';

export function ClientFields({ register, watch, formState }: UseFormReturn<ClientForm>) {
  const { errors } = formState;
  const { number_of_guards: guardsRule, monthly_rate: rateRule } = clientSchema.shape;
  const [guards, rate] = watch(['number_of_guards', 'monthly_rate']);
  const isKnown = guardsRule.safeParse(guards).success && rateRule.safeParse(rate).success;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Client Name" error={errors.name?.message} className="sm:col-span-2">
        {(control) => <Input {...control} {...register('name')} autoComplete="off" />}
      </Field>
      <Field label="Number of Guards" error={errors.number_of_guards?.message}>
        {(control) => (
          <Input
            {...control}
            {...register('number_of_guards')}
            inputMode="numeric"
            autoComplete="off"
            className="text-right tabular-nums"
          />
        )}
      </Field>
      <Field label="Monthly Rate (USD)" error={errors.monthly_rate?.message}>
        {(control) => <AmountInput {...control} {...register('monthly_rate')} />}
      </Field>
      <p className="flex items-baseline justify-between gap-4 rounded-sm bg-sunken px-4 py-3 sm:col-span-2">
        <span className="text-muted">Rate per Guard</span>
        <output className="font-semibold tabular-nums">
          {isKnown
            ? formatDollars(ratePerGuard(amountOrNull(rate) ?? 0, wholeNumberOf(guards)))
            : '-'}
        </output>
      </p>
      <Field label="Location" error={errors.location?.message}>
        {(control) => <Input {...control} {...register('location')} autoComplete="off" />}
      </Field>
      <Field label="Payment Method" error={errors.payment_method?.message}>
        {(control) => (
          <Select {...control} {...register('payment_method')}>
            <Options values={PAYMENT_METHODS} labels={PAYMENT_METHOD_LABELS} />
          </Select>
        )}
      </Field>
    </div>
  );
}
