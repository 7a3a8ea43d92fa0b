import { useState } from 'react';
import { DecisionForm } from '#web/components/form/decision-form.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useConflicts, useDecideLeave } from './api.ts';
import { filterUpcoming } from './rules.ts';
import { cancellationSchema, decisionSchema } from './schema.ts';

const describeVacancies = (shifts: number) =>
  shifts === 1 ? '1 shift needs another guard.' : `${shifts} shifts need other guards.`;

export function LeaveDecision({ id, onClose }: { id: string; onClose: () => void }) {
  const { mutateAsync } = useDecideLeave();
  const { data: conflicts } = useConflicts(id);
  return (
    <DecisionForm
      schema={decisionSchema}
      hint="The person sees it with the outcome."
      decide={async (status, note) => {
        await mutateAsync({ id, status, note });
        const vacancies =
          status === 'approved' ? filterUpcoming(conflicts?.shifts ?? []).length : 0;
        // The dialog stays open if it lists shifts that now need another guard.
        showSuccess(`Leave ${status}`, vacancies > 0 ? describeVacancies(vacancies) : undefined);
        if (vacancies === 0) onClose();
      }}
      onCancel={onClose}
    />
  );
}

export function CancelLeave({ id, onClose }: { id: string; onClose: () => void }) {
  const { mutateAsync } = useDecideLeave();
  const [isConfirming, setConfirming] = useState(false);
  if (!isConfirming) {
    return (
      <div className="flex justify-end border-t border-line pt-5">
        <Button variant="danger-ghost" onClick={() => setConfirming(true)}>
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
        onCancel={() => setConfirming(false)}
      >
        {({ register, formState: { errors } }) => (
          <Field
            label="Why the leave is cancelled"
            hint="The person sees it. To take this leave after all, they must request it again."
            error={errors.note?.message}
          >
            {(control) => <Textarea {...control} {...register('note')} rows={2} autoFocus />}
          </Field>
        )}
      </RecordForm>
    </section>
  );
}
