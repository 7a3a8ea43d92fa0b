import { useRef } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { type SubmitOutcome, waitingText } from '#web/lib/outbox/submit.ts';
import { type HandoverPlace, submitNote } from './handover.ts';

type HandoverDialogProps = { userId: string; handover: HandoverPlace; onClose: () => void };

const noteSchema = z.object({
  note: textField('Note', limits.HANDOVER_NOTES_NOTE_MAX).min(1, 'Write the note'),
});

export function NoteDialog({ userId, handover, onClose }: HandoverDialogProps) {
  const outcome = useRef<SubmitOutcome>(undefined);
  return (
    <Dialog open onOpenChange={onClose} title="Handover note">
      <RecordForm
        schema={noteSchema}
        defaultValues={{ note: '' }}
        submitLabel="Leave Note"
        save={async ({ note }) => {
          outcome.current = await submitNote(userId, handover, note);
        }}
        onSaved={() => {
          showSuccess('Note left for the next guard', waitingText(outcome.current));
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) =>
          createFields(form).notes('note', 'Note', {
            rows: 4,
            optional: false,
            hint: 'The next guards read it for three days.',
          })
        }
      </RecordForm>
    </Dialog>
  );
}
