// State and internal note of an enquiry. What is being typed stays when somebody else changes it, and that is said.
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors.ts';
import { formatDateTime } from '#web/lib/format.ts';
import type { HandledEnquiry } from '../api/get-enquiry.ts';
import { useHandleEnquiry } from '../api/handle-enquiry.ts';
import { type Handling, handlingSchema, STATE_LABELS, STATES } from '../schema.ts';

type HandlingFormProps = { enquiry: HandledEnquiry; onClose: () => void };

export function HandlingForm({ enquiry, onClose }: HandlingFormProps) {
  const { id, state, note, handler, handled_at, updated_at } = enquiry;
  const { mutateAsync } = useHandleEnquiry();
  const [opened] = useState(updated_at);
  const { register, handleSubmit, formState } = useForm<Handling>({
    resolver: zodResolver(handlingSchema),
    defaultValues: { state, note: note ?? '' },
  });
  const busy = formState.isSubmitting;
  const changed = updated_at !== opened && !busy;
  const who = handler?.full_name || handler?.email || 'Somebody';
  const submit = handleSubmit((handling) =>
    mutateAsync({ id, seen: updated_at, handling })
      .then(() => {
        showSuccess('Enquiry updated');
        onClose();
      })
      .catch((error: unknown) => showError('Error', messageOf(error))),
  );
  return (
    <form onSubmit={submit} noValidate className="grid gap-5 border-t border-line pt-6">
      {changed && (
        <Alert title={`${who} has changed this enquiry since you opened it`}>
          It is {STATE_LABELS[state].toLowerCase()} now{note ? `, noted “${note}”` : ''}. Saving
          replaces that.
        </Alert>
      )}
      <Field label="State" error={formState.errors.state?.message} className="sm:max-w-56">
        {(control) => (
          <Select {...control} {...register('state')}>
            {STATES.map((choice) => (
              <option key={choice} value={choice}>
                {STATE_LABELS[choice]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Internal note"
        optional
        hint="Only administrators and operations managers see it."
        error={formState.errors.note?.message}
      >
        {(control) => <Textarea {...control} {...register('note')} rows={3} />}
      </Field>
      {handled_at && !changed && (
        <p className="text-sm text-muted">
          Last changed by {who}, <time dateTime={handled_at}>{formatDateTime(handled_at)}</time>
        </p>
      )}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
