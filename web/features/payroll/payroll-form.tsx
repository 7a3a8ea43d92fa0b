import type { UseFormReturn } from 'react-hook-form';
import { centsOf, formatCents, formatDollars, sumOf } from '#shared/money.ts';
import { AmountInput, Options } from '#web/components/form/inputs.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { PAYROLL_STATUSES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { CalculationLines } from './payslip-dialog.tsx';
import { useActiveStaff, useMinimumWage, useSuggestDeductions } from './rates-api.ts';
import { isBelowMinimumWage } from './rules.ts';
import { netOf, type PayrollForm, type PayrollRow } from './schema.ts';

/** Shows the message about an overlapping record; `deps` clears it when a field that decides the overlap changes. */
export const OVERLAP_FIELD = 'period_start';

type PayrollFieldsProps = UseFormReturn<PayrollForm> & {
  /** The record being changed. Its person may no longer be active staff. */
  changed: PayrollRow | undefined;
};

export function PayrollFields(props: PayrollFieldsProps) {
  const { register, watch, setValue, formState, changed } = props;
  const { errors } = formState;
  const staff = useActiveStaff();
  const suggest = useSuggestDeductions();
  const minimum = useMinimumWage();
  const form = watch();
  const person = staff.data?.find(({ id }) => id === form.staff_id);
  const frequency = person?.payment_frequency ?? changed?.staff.payment_frequency;
  const gross = amountOrNull(form.base_amount);
  const isLow =
    gross !== null && frequency !== undefined && isBelowMinimumWage(gross, frequency, minimum.data);

  function choose(id: string) {
    const chosen = staff.data?.find((each) => each.id === id);
    if (!chosen) return;
    setValue('base_amount', formatCents(centsOf(chosen.salary_amount)).replaceAll(',', ''));
    setValue('calculation', null);
  }
  function fillDeductions() {
    if (gross === null || frequency === undefined) return;
    suggest
      .mutateAsync({ gross, frequency, day: form.period_end || today() })
      .then((lines) => {
        setValue(
          'deductions',
          formatCents(sumOf(lines.map(({ amount }) => amount))).replaceAll(',', ''),
        );
        setValue('calculation', lines);
      })
      .catch((error: unknown) => showError('Error', messageOf(error)));
  }
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label="Staff Member"
        error={errors.staff_id?.message ?? (staff.error ? messageOf(staff.error) : undefined)}
        className="sm:col-span-2"
      >
        {(control) => (
          <Select
            {...control}
            {...register('staff_id', {
              onChange: ({ target }) => choose(target.value),
              deps: OVERLAP_FIELD,
            })}
            // Remount when the options arrive, or the selected one would not show.
            key={staff.data ? 'loaded' : 'loading'}
          >
            <option value="">{staff.data ? 'Choose a staff member' : 'Loading staff...'}</option>
            {changed && !person && (
              <option value={changed.staff_id}>{changed.staff.full_name}</option>
            )}
            {staff.data?.map(({ id, full_name }) => (
              <option key={id} value={id}>
                {full_name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Period Start" error={errors.period_start?.message}>
        {(control) => <Input {...control} {...register('period_start')} type="date" />}
      </Field>
      <Field label="Period End" error={errors.period_end?.message}>
        {(control) => (
          <Input {...control} {...register('period_end', { deps: OVERLAP_FIELD })} type="date" />
        )}
      </Field>
      <Field label="Base Amount (USD)" error={errors.base_amount?.message}>
        {(control) => <AmountInput {...control} {...register('base_amount')} />}
      </Field>
      <Field label="Bonuses (USD)" optional error={errors.bonuses?.message}>
        {(control) => <AmountInput {...control} {...register('bonuses')} />}
      </Field>
      <Field label="Deductions (USD)" optional error={errors.deductions?.message}>
        {(control) => (
          <AmountInput
            {...control}
            {...register('deductions', { onChange: () => setValue('calculation', null) })}
          />
        )}
      </Field>
      <Button
        variant="secondary"
        className="sm:mt-6.5"
        busy={suggest.isPending}
        disabled={gross === null || frequency === undefined}
        onClick={fillDeductions}
      >
        Suggest Deductions
      </Button>
      <CalculationLines calculation={form.calculation} className="sm:col-span-2" />
      {isLow && (
        <Alert title="Below the minimum wage" className="sm:col-span-2">
          {`This pay is less than ${formatDollars(minimum.data)} a day for 26 days a month.`}
        </Alert>
      )}
      <p className="flex items-baseline justify-between gap-4 rounded-sm bg-sunken px-4 py-3 sm:col-span-2">
        <span className="text-muted">Net Amount</span>
        <output className="text-lg font-semibold tabular-nums">{formatDollars(netOf(form))}</output>
      </p>
      <Field label="Payment Date" optional error={errors.payment_date?.message}>
        {(control) => <Input {...control} {...register('payment_date')} type="date" />}
      </Field>
      <Field label="Status" error={errors.payment_status?.message}>
        {(control) => (
          <Select {...control} {...register('payment_status', { deps: OVERLAP_FIELD })}>
            <Options values={PAYROLL_STATUSES} labels={STATUS_LABELS} />
          </Select>
        )}
      </Field>
      <Field label="Notes" optional error={errors.notes?.message} className="sm:col-span-2">
        {(control) => <Textarea {...control} {...register('notes')} rows={3} />}
      </Field>
    </div>
  );
}
