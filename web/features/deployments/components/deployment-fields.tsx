// The fields of a deployment, for a new one and for a change alike.
import type { FieldErrors, UseFormRegister } from 'react-hook-form';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import { zoneName } from '#web/lib/format.ts';
import { type DeploymentForm, STATUSES } from '../schema.ts';
import { STATUS_LABELS } from '../status.ts';

type DeploymentFieldsProps = {
  register: UseFormRegister<DeploymentForm>;
  errors: FieldErrors<DeploymentForm>;
};

export function DeploymentFields({ register, errors }: DeploymentFieldsProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Guard Name" error={errors.guard_name?.message}>
        {(control) => <Input {...control} {...register('guard_name')} autoComplete="off" />}
      </Field>
      <Field label="Location" error={errors.location?.message}>
        {(control) => <Input {...control} {...register('location')} autoComplete="off" />}
      </Field>
      <Field label="Client Name" optional error={errors.client_name?.message}>
        {(control) => <Input {...control} {...register('client_name')} autoComplete="off" />}
      </Field>
      <Field label="Status" error={errors.status?.message}>
        {(control) => (
          <Select {...control} {...register('status')}>
            {STATUSES.map((status) => (
              <option key={status} value={status}>
                {STATUS_LABELS[status]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Shift Start" hint={`${zoneName} time`} error={errors.shift_start?.message}>
        {(control) => <Input {...control} {...register('shift_start')} type="datetime-local" />}
      </Field>
      <Field label="Shift End" hint={`${zoneName} time`} error={errors.shift_end?.message}>
        {(control) => <Input {...control} {...register('shift_end')} type="datetime-local" />}
      </Field>
      <Field label="Notes" optional error={errors.notes?.message} className="sm:col-span-2">
        {(control) => <Textarea {...control} {...register('notes')} rows={3} />}
      </Field>
    </div>
  );
}
