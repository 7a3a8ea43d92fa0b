// State and internal note of an enquiry. What is being typed stays when somebody else changes it, and both versions are offered.
import { useState } from 'react';
import { Options } from '#web/components/records/options.tsx';
import { RecordForm } from '#web/components/records/record-form.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import type { HandledEnquiry } from '../api/get-enquiry.ts';
import { useHandleEnquiry } from '../api/handle-enquiry.ts';
import { handlingSchema, STATE_LABELS, STATES } from '../schema.ts';

type HandlingFormProps = { enquiry: HandledEnquiry; onClose: () => void };

export function HandlingForm({ enquiry, onClose }: HandlingFormProps) {
  const { id, state, note, handler, handled_at, updated_at } = enquiry;
  const { mutateAsync } = useHandleEnquiry();
  const latest = { state, note: note ?? '' };
  const [opened] = useState(latest);
  const who = handler?.full_name || handler?.email || 'Somebody';
  return (
    <section aria-label="Handling" className="border-t border-line pt-6">
      <RecordForm
        schema={handlingSchema}
        defaultValues={opened}
        latest={latest}
        submitLabel="Save"
        save={(handling) => mutateAsync({ id, seen: updated_at, handling })}
        onSaved={() => {
          showSuccess('Enquiry updated');
          onClose();
        }}
        onCancel={onClose}
      >
        {({ register, formState: { errors } }) => (
          <div className="grid gap-5">
            <Field label="State" error={errors.state?.message} className="sm:max-w-56">
              {(control) => (
                <Select {...control} {...register('state')}>
                  <Options values={STATES} labels={STATE_LABELS} />
                </Select>
              )}
            </Field>
            <Field
              label="Internal note"
              optional
              hint="Only administrators and operations managers see it."
              error={errors.note?.message}
            >
              {(control) => <Textarea {...control} {...register('note')} rows={3} />}
            </Field>
            {handled_at && (
              <p className="text-sm text-muted">
                Last changed by {who},{' '}
                <time dateTime={handled_at}>{formatDateTime(handled_at)}</time>
              </p>
            )}
          </div>
        )}
      </RecordForm>
    </section>
  );
}
