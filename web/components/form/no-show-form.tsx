import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { RecordForm } from './record-form.tsx';

const schema = z.object({
  reason: textField('Reason', limits.ASSIGNMENTS_NO_SHOW_REASON_MAX).min(1, 'Give a reason'),
});

type NoShowFormProps = {
  name: string;
  mark: (reason: string) => Promise<unknown>;
  undo: () => void;
  onDone: () => void;
};

/** Asks why a guard did not come. */
export function NoShowForm({ name, mark, undo, onDone }: NoShowFormProps) {
  return (
    <RecordForm
      schema={schema}
      defaultValues={{ reason: '' }}
      submitLabel="Mark as No-show"
      failure="The no-show was not saved"
      save={({ reason }) => mark(reason)}
      onSaved={() => {
        showSuccess('Marked as No-show', undefined, { label: 'Undo', onPress: undo });
        onDone();
      }}
      onCancel={onDone}
    >
      {({ register, formState: { errors } }) => (
        <Field
          label={`Why ${name} did not come`}
          hint="For example: phone is off, called in sick at 05:40."
          error={errors.reason?.message}
        >
          {(control) => <Input {...control} {...register('reason')} autoComplete="off" autoFocus />}
        </Field>
      )}
    </RecordForm>
  );
}
