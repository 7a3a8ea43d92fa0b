import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { useAnswerDispute } from './issue-api.ts';

const answerSchema = z.object({
  answer: textField('Answer', limits.TIMESHEET_DISPUTES_ANSWER_MAX).min(1, 'Write the answer'),
});

/** Answers what a guard says about a day; the guard gets a notice. */
export function AnswerForm({ disputeId, onClose }: { disputeId: string; onClose: () => void }) {
  const { mutateAsync } = useAnswerDispute();
  return (
    <div className="mt-3">
      <RecordForm
        schema={answerSchema}
        defaultValues={{ answer: '' }}
        submitLabel="Send Answer"
        savingLabel="Sending..."
        failure="The answer was not sent"
        save={({ answer }) => mutateAsync({ disputeId, answer })}
        onSaved={() => {
          showSuccess('Answer sent');
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) =>
          createFields(form).notes('answer', 'Answer', {
            optional: false,
            rows: 2,
            hint: 'The guard reads it with the day. Correct the attendance first if the guard is right.',
          })
        }
      </RecordForm>
    </div>
  );
}
