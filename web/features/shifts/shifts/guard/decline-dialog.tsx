import { useRef } from 'react';
import { z } from 'zod';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { reasonField } from '#web/lib/form-fields/text-field.ts';
import { formatTimeRange, formatWeekday } from '#web/lib/format/dates.ts';
import { type SubmitOutcome, waitingText } from '#web/lib/outbox/submit.ts';
import { submitAnswer } from './answer.ts';
import type { GuardShift } from './api.ts';

const schema = z.object({ reason: reasonField });

type DeclineDialogProps = { userId: string; shift: GuardShift; onClose: () => void };

export function DeclineDialog({ userId, shift, onClose }: DeclineDialogProps) {
  const outcome = useRef<SubmitOutcome>(undefined);
  const { start_time, end_time, site } = shift.shift;
  const when = formatWeekday(start_time, site.timezone).split(',')[0];
  return (
    <Dialog open onOpenChange={onClose} title="Decline this shift?">
      <RecordForm
        schema={schema}
        defaultValues={{ reason: '' }}
        submitLabel="Decline Shift"
        savingLabel="Declining..."
        submitVariant="danger"
        cancelLabel="Keep Shift"
        invalid="Error"
        save={async ({ reason }) => {
          outcome.current = await submitAnswer(userId, shift, 'decline', reason);
        }}
        onSaved={() => {
          showSuccess('Shift Declined', waitingText(outcome.current));
          onClose();
        }}
        onCancel={onClose}
      >
        {({ register, formState: { errors } }) => (
          <div className="grid gap-5">
            <p className="text-pretty">
              <span className="font-semibold">
                {site.name}, {when} {formatTimeRange(start_time, end_time, site.timezone)}.
              </span>{' '}
              Your supervisor starts to look for another guard at once, so you can't undo this.
            </p>
            <Field label="Reason" hint="Your supervisor reads it." error={errors.reason?.message}>
              {(control) => <Textarea {...control} {...register('reason')} rows={3} />}
            </Field>
          </div>
        )}
      </RecordForm>
    </Dialog>
  );
}
