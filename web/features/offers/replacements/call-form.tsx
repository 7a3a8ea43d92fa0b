import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { REPLACEMENT_CALLS_RESULT } from '#shared/database.values.ts';
import { Options } from '#web/components/form/inputs.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { CALL_RESULT_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { useNoteCall } from './api.ts';
import { useAssign } from './use-assign.ts';

const callSchema = z.object({
  result: z.enum(REPLACEMENT_CALLS_RESULT),
  note: textField('Note', limits.REPLACEMENT_CALLS_NOTE_MAX),
});

const EMPTY: z.infer<typeof callSchema> = { result: 'no_answer', note: '' };

type CallFormProps = {
  shiftId: string;
  userId: string;
  name: string;
  /** Whether a guard who is coming gets a seat of the shift. */
  hasSeat: boolean;
  onDone: () => void;
};

export function CallForm({ shiftId, userId, name, hasSeat, onDone }: CallFormProps) {
  const { mutateAsync } = useNoteCall();
  const { assign } = useAssign({ shiftId, userId, name });
  const isAssigned = (result: string) => hasSeat && result === 'coming';
  return (
    <RecordForm
      schema={callSchema}
      defaultValues={EMPTY}
      submitLabel={({ watch }) =>
        isAssigned(watch('result')) ? 'Save Call and Assign' : 'Save Call'
      }
      failure="The call was not saved"
      save={async ({ result, note }) => {
        if (isAssigned(result)) return assign({ note });
        await mutateAsync({ shiftId, userId, result, note });
        showSuccess('Call Saved');
      }}
      onSaved={onDone}
      onCancel={onDone}
    >
      {({ register, formState: { errors } }) => (
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Result" error={errors.result?.message}>
            {(control) => (
              <Select {...control} {...register('result')} autoFocus>
                <Options values={REPLACEMENT_CALLS_RESULT} labels={CALL_RESULT_LABELS} />
              </Select>
            )}
          </Field>
          <Field label="Note" optional error={errors.note?.message}>
            {(control) => <Input {...control} {...register('note')} autoComplete="off" />}
          </Field>
        </div>
      )}
    </RecordForm>
  );
}
