import { useEffect } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { STAFF_PAYMENT_FREQUENCY, STAFF_ROLE, STAFF_STATUS } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { PickerField } from '#web/components/form/picker-field.tsx';
import { DuplicateNotice } from '#web/components/records/duplicate-notice.tsx';
import { LabelledCheckbox } from '#web/components/ui/checkbox.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { usePeople } from '#web/lib/data/lookups.ts';
import { PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { useHiredOn, useSalaries } from './api.ts';
import type { StaffForm, StaffRow } from './schema.ts';

const FREQUENCIES = toOptions(STAFF_PAYMENT_FREQUENCY, PAY_FREQUENCY_LABELS);

const PAY_LABELS: Record<string, string> = { hourly: 'Pay an Hour', shift: 'Pay a Shift' };

type StaffFieldsProps = {
  form: UseFormReturn<StaffForm>;
  changed: Pick<StaffRow, 'id' | 'is_separate' | 'pay_basis' | 'currency'> | undefined;
};

function Duplicates({ form, changed }: StaffFieldsProps) {
  const [full_name, email, phone, hire_date, status] = useWatch({
    control: form.control,
    name: ['full_name', 'email', 'phone', 'hire_date', 'status'],
  });
  return (
    <DuplicateNotice given={{ full_name, email, phone, hire_date, status }} except={changed?.id}>
      <LabelledCheckbox
        label="This is another person"
        hint="For example two brothers with one phone."
        className="mt-2 text-ink"
        {...form.register('is_separate')}
      />
    </DuplicateNotice>
  );
}

/** A new pay record begins with the day on which HR hired the person. */
function useHireDay(form: UseFormReturn<StaffForm>, isNew: boolean): void {
  const account = useWatch({ control: form.control, name: 'account' });
  const { data: day } = useHiredOn(isNew ? account?.id : undefined);
  useEffect(() => {
    if (day && !form.getFieldState('hire_date').isDirty) form.setValue('hire_date', day);
  }, [form, day]);
}

export function StaffFields({ form, changed }: StaffFieldsProps) {
  const { pay_basis: basis = 'salary', currency = 'USD' } = changed ?? {};
  const field = createFields(form);
  useHireDay(form, changed === undefined);
  return (
    <FieldGrid>
      {field.text('full_name', 'Full Name', { wide: true })}
      {field.text('email', 'Email', { type: 'email', optional: true })}
      {field.text('phone', 'Phone', { type: 'tel', optional: true })}
      <Duplicates form={form} changed={changed} />
      {field.select('role', 'Role', toOptions(STAFF_ROLE, ROLE_LABELS))}
      {field.day('hire_date', 'Hire Date')}
      {field.amount('salary_amount', `${PAY_LABELS[basis] ?? 'Salary'} (${currency})`)}
      {field.select('payment_frequency', 'Payment Frequency', FREQUENCIES)}
      {field.text('tin', 'Tax Number (TIN)', { optional: true })}
      {field.text('nasscorp_number', 'NASSCORP Number', { optional: true })}
      {field.select('status', 'Status', toOptions(STAFF_STATUS, STATUS_LABELS))}
      <PickerField
        control={form.control}
        name="account"
        label="User Account"
        optional
        hint="Lets this person see their payslips."
        searchLabel="Search accounts"
        placeholder="No account"
        useChoices={usePeople}
      />
    </FieldGrid>
  );
}

export function SalaryHistory({ id }: { id: string }) {
  const query = useSalaries(id);
  return (
    <details className="border-t border-line pt-3 text-sm">
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-accent">
        Salary history
      </summary>
      <Loaded query={query} loadingText="Loading salary history...">
        {(changes) =>
          changes.length === 0 ? (
            <p className="text-muted">No changes recorded.</p>
          ) : (
            <ol className="grid gap-2">
              {changes.map(({ id: entry, pay, since, actor }) => (
                <li key={entry} className="flex flex-wrap justify-between gap-x-4">
                  <span className="font-semibold tabular-nums">{pay}</span>
                  <span className="text-muted">
                    {since}
                    {actor && `, ${actor}`}
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </details>
  );
}
