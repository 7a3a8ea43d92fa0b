import type { UseFormReturn } from 'react-hook-form';
import { PAYROLL_PAYMENT_STATUS } from '#shared/database.values.ts';
import { formatCents, formatDollars, formatMoney, parseCents, sumCents } from '#shared/money.ts';
import { CalculatedField, createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { CalculationLines } from '#web/components/payslip/calculation-lines.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { useActiveStaff, useMinimumWage, useSuggestDeductions } from './rates-api.ts';
import { isBelowMinimumWage } from './rules.ts';
import { calculateNet, type PayrollForm, type PayrollRow } from './schema.ts';

/** Shows the message about an overlapping record; `deps` clears it when a field that decides the overlap changes. */
export const OVERLAP_FIELD = 'period_start';

type PayrollFieldsProps = {
  form: UseFormReturn<PayrollForm>;
  /** The record being changed. Its person may no longer be active staff. */
  changed: PayrollRow | undefined;
};

export function PayrollFields({ form, changed }: PayrollFieldsProps) {
  const { watch, setValue } = form;
  const field = createFields(form);
  const staff = useActiveStaff();
  const suggest = useSuggestDeductions();
  const minimum = useMinimumWage();
  const values = watch();
  const person = staff.data?.find(({ id }) => id === values.staff_id);
  const frequency = person?.payment_frequency ?? changed?.staff.payment_frequency;
  const gross = amountOrNull(values.base_amount);
  const { currency } = values;
  const isLow =
    currency === 'USD' &&
    gross !== null &&
    frequency !== undefined &&
    isBelowMinimumWage(gross, frequency, minimum.data);

  const people = [
    ...(changed && !person ? [[changed.staff_id, changed.staff.full_name] as const] : []),
    ...(staff.data ?? []).map(({ id, full_name }) => [id, full_name] as const),
  ];

  function choose(id: string) {
    const chosen = staff.data?.find((each) => each.id === id);
    if (!chosen) return;
    // An hour's or a shift's pay says nothing about a period.
    const amount = formatCents(parseCents(chosen.salary_amount)).replaceAll(',', '');
    setValue('base_amount', chosen.pay_basis === 'salary' ? amount : '');
    setValue('currency', chosen.currency);
    setValue('calculation', null);
  }
  function fillDeductions() {
    if (gross === null || frequency === undefined) return;
    suggest
      .mutateAsync({ gross, frequency, day: values.period_end || today() })
      .then((lines) => {
        setValue(
          'deductions',
          formatCents(sumCents(lines.map(({ amount }) => amount))).replaceAll(',', ''),
        );
        setValue('calculation', lines);
      })
      .catch((error: unknown) => showError('Error', describeError(error)));
  }
  return (
    <FieldGrid>
      {field.select('staff_id', 'Staff Member', people, {
        empty: staff.data ? 'Choose a staff member' : 'Loading staff...',
        hint: staff.error ? describeError(staff.error) : undefined,
        wide: true,
        isSearched: true,
        register: { onChange: ({ target }) => choose(target.value), deps: OVERLAP_FIELD },
      })}
      {field.day('period_start', 'Period Start')}
      {field.day('period_end', 'Period End', { register: { deps: OVERLAP_FIELD } })}
      {field.amount('base_amount', `Base Amount (${currency})`)}
      {field.amount('bonuses', `Bonuses (${currency})`, { optional: true })}
      {field.amount('deductions', `Deductions (${currency})`, {
        optional: true,
        register: { onChange: () => setValue('calculation', null) },
      })}
      <Button
        variant="secondary"
        className="sm:mt-6.5"
        busy={suggest.isPending}
        disabled={gross === null || frequency === undefined || currency !== 'USD'}
        onClick={fillDeductions}
      >
        Suggest Deductions
      </Button>
      <CalculationLines
        calculation={values.calculation}
        currency={currency}
        className="sm:col-span-2"
      />
      {isLow && (
        <Alert title="Below the minimum wage" className="sm:col-span-2">
          {`This pay is less than ${formatDollars(minimum.data)} a day for 26 days a month.`}
        </Alert>
      )}
      <CalculatedField label="Net Amount">
        {formatMoney(calculateNet(values), currency)}
      </CalculatedField>
      {field.day('payment_date', 'Payment Date', { optional: true })}
      {field.select('payment_status', 'Status', toOptions(PAYROLL_PAYMENT_STATUS, STATUS_LABELS), {
        register: { deps: OVERLAP_FIELD },
      })}
      {field.notes('notes', 'Notes')}
    </FieldGrid>
  );
}
