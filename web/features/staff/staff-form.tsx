import { Controller, type UseFormReturn } from 'react-hook-form';
import { formatDollars } from '#shared/money.ts';
import { AmountInput, Options } from '#web/components/form/inputs.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Picker } from '#web/components/ui/picker.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { usePeople } from '#web/lib/data/lookups.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { PAY_FREQUENCIES, PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { ROLE_LABELS, STAFF_ROLES } from '#web/lib/vocabulary/roles.ts';
import { STAFF_STATUSES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { useSalaries } from './api.ts';
import type { StaffForm } from './schema.ts';

export function StaffFields({ register, control: form, formState }: UseFormReturn<StaffForm>) {
  const { errors } = formState;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Full Name" error={errors.full_name?.message} className="sm:col-span-2">
        {(control) => <Input {...control} {...register('full_name')} autoComplete="off" />}
      </Field>
      <Field label="Email" optional error={errors.email?.message}>
        {(control) => <Input {...control} {...register('email')} type="email" autoComplete="off" />}
      </Field>
      <Field label="Phone" optional error={errors.phone?.message}>
        {(control) => <Input {...control} {...register('phone')} type="tel" autoComplete="off" />}
      </Field>
      <Field label="Role" error={errors.role?.message}>
        {(control) => (
          <Select {...control} {...register('role')}>
            <Options values={STAFF_ROLES} labels={ROLE_LABELS} />
          </Select>
        )}
      </Field>
      <Field label="Hire Date" error={errors.hire_date?.message}>
        {(control) => <Input {...control} {...register('hire_date')} type="date" />}
      </Field>
      <Field label="Salary (USD)" error={errors.salary_amount?.message}>
        {(control) => <AmountInput {...control} {...register('salary_amount')} />}
      </Field>
      <Field label="Payment Frequency" error={errors.payment_frequency?.message}>
        {(control) => (
          <Select {...control} {...register('payment_frequency')}>
            <Options values={PAY_FREQUENCIES} labels={PAY_FREQUENCY_LABELS} />
          </Select>
        )}
      </Field>
      <Field label="Status" error={errors.status?.message}>
        {(control) => (
          <Select {...control} {...register('status')}>
            <Options values={STAFF_STATUSES} labels={STATUS_LABELS} />
          </Select>
        )}
      </Field>
      <Controller
        control={form}
        name="account"
        render={({ field }) => (
          <Field
            label="User Account"
            optional
            hint="Lets this person see their payslips."
            error={errors.account?.message}
          >
            {({ id, 'aria-describedby': describedBy }) => (
              <Picker
                id={id}
                aria-describedby={describedBy}
                searchLabel="Search accounts"
                placeholder="No account"
                value={field.value}
                onChange={field.onChange}
                useChoices={usePeople}
              />
            )}
          </Field>
        )}
      />
    </div>
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
              {changes.map(({ entry, at, actor, salary_amount, payment_frequency }) => (
                <li key={entry} className="flex flex-wrap justify-between gap-x-4">
                  <span className="font-semibold tabular-nums">
                    {formatDollars(salary_amount)} {payment_frequency}
                  </span>
                  <span className="text-muted">
                    {formatDateTime(at)}
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
