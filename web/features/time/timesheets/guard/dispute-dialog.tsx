import { useRef, useState } from 'react';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import { type SubmitOutcome, waitingText } from '#web/lib/outbox/submit.ts';
import { disputeForm, submitDispute } from './dispute.ts';

type DisputeDialogProps = {
  userId: string;
  timesheetId: string;
  /** yyyy-MM-dd; undefined lets the guard choose one. */
  day: string | undefined;
  /** Days of the period that are not disputed yet. */
  days: readonly string[];
  onClose: () => void;
};

export function DisputeDialog({ userId, timesheetId, day, days, onClose }: DisputeDialogProps) {
  const outcome = useRef<SubmitOutcome>(undefined);
  const [id] = useState(() => crypto.randomUUID());
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={day ? `Dispute ${formatDayOfWeek(day)}` : 'Dispute a day'}
      description="Your office reads it and answers here."
    >
      <RecordForm
        schema={disputeForm}
        defaultValues={{ day: day ?? '', note: '' }}
        submitLabel="Send Dispute"
        savingLabel="Sending..."
        failure="The dispute was not sent"
        save={async (form) => {
          outcome.current = await submitDispute(userId, { id, timesheet_id: timesheetId, ...form });
        }}
        onSaved={() => {
          showSuccess('Dispute sent', waitingText(outcome.current));
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) => (
          <div className="grid gap-5">
            {day === undefined &&
              createFields(form).select(
                'day',
                'Day',
                days.map((each) => [each, formatDayOfWeek(each)]),
                { empty: 'Choose a day' },
              )}
            {createFields(form).notes('note', 'What is wrong?', {
              rows: 4,
              optional: false,
              hint: 'For example: I worked until 8 PM, the relief came late.',
            })}
          </div>
        )}
      </RecordForm>
    </Dialog>
  );
}
