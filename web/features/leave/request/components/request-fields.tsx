// The fields of a request for leave. The date pickers offer no day that the rules refuse.
import type { UseFormReturn } from 'react-hook-form';
import { Options } from '#web/components/records/options.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import { LEAVE_TYPES, TYPE_LABELS } from '../../labels.ts';
import { earliestStart, type RequestForm } from '../schema.ts';

export function RequestFields({ form }: { form: UseFormReturn<RequestForm> }) {
  const { register, watch, formState } = form;
  const { errors } = formState;
  const [type, start] = watch(['type', 'start_date']);
  const earliest = earliestStart(type);
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Leave Type" error={errors.type?.message} className="sm:col-span-2">
        {(control) => (
          <Select {...control} {...register('type')}>
            <option value="">Choose a type</option>
            <Options values={LEAVE_TYPES} labels={TYPE_LABELS} />
          </Select>
        )}
      </Field>
      <Field
        label="Start Date"
        error={errors.start_date?.message}
        hint={type === 'sick' ? 'Up to 7 days back' : undefined}
      >
        {(control) => <Input {...control} {...register('start_date')} type="date" min={earliest} />}
      </Field>
      <Field label="End Date" error={errors.end_date?.message} hint="The last day of leave">
        {(control) => (
          <Input {...control} {...register('end_date')} type="date" min={start || earliest} />
        )}
      </Field>
      <Field label="Reason" error={errors.reason?.message} className="sm:col-span-2">
        {(control) => <Textarea {...control} {...register('reason')} rows={3} />}
      </Field>
    </div>
  );
}
