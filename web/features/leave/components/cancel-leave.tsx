// Takes an approved leave back when plans change: first asked for, then confirmed with the reason that the person reads.
import { useState } from 'react';
import { RecordForm } from '#web/components/records/record-form.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useDecideLeave } from '../api/decide-leave.ts';
import { cancellationSchema } from '../schema.ts';

export function CancelLeave({ id, onClose }: { id: string; onClose: () => void }) {
  const { mutateAsync } = useDecideLeave();
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <div className="flex justify-end border-t border-line pt-5">
        <Button variant="danger-ghost" onClick={() => setAsked(true)}>
          Cancel This Leave
        </Button>
      </div>
    );
  }
  return (
    <section aria-label="Cancel this leave" className="border-t border-line pt-5">
      <RecordForm
        schema={cancellationSchema}
        defaultValues={{ note: '' }}
        submitLabel="Cancel This Leave"
        savingLabel="Cancelling..."
        cancelLabel="Keep It"
        failure="The leave was not cancelled"
        save={({ note }) => mutateAsync({ id, status: 'cancelled', note })}
        onSaved={() => {
          showSuccess('Leave cancelled');
          onClose();
        }}
        onCancel={() => setAsked(false)}
      >
        {({ register, formState: { errors } }) => (
          <Field
            label="Why the leave is cancelled"
            hint="The person sees it. To be away after all, they would have to ask again."
            error={errors.note?.message}
          >
            {(control) => <Textarea {...control} {...register('note')} rows={2} autoFocus />}
          </Field>
        )}
      </RecordForm>
    </section>
  );
}
