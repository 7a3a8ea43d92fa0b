import { useRef, useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { type SubmitOutcome, waitingText } from '#web/lib/outbox/submit.ts';
import { formatPiece, type Handover, submitNote, submitTicks } from './handover.ts';

type HandoverDialogProps = { userId: string; handover: Handover; onClose: () => void };

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

export function TakeOverDialog({ userId, handover, onClose }: HandoverDialogProps) {
  const [present, setPresent] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const missing = handover.equipment.length - present.size;

  function tick(id: string, isThere: boolean) {
    const next = new Set(present);
    if (isThere) next.add(id);
    else next.delete(id);
    setPresent(next);
  }
  async function takeOver() {
    setBusy(true);
    try {
      const outcome = await submitTicks(userId, handover, present);
      showSuccess('Equipment taken over', waitingText(outcome));
      onClose();
    } catch (error) {
      showError('Error', describeError(error));
      setBusy(false);
    }
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Take over equipment"
      description="Tick what is there and works. What you leave out is reported as missing."
    >
      <div className="grid gap-5">
        <ul className="divide-y divide-line border-y border-line">
          {handover.equipment.map((piece) => (
            <li key={piece.id}>
              {/* biome-ignore lint/a11y/noLabelWithoutControl: the Checkbox inside is an input */}
              <label className="relative flex min-h-12 items-center gap-3">
                <Checkbox
                  checked={present.has(piece.id)}
                  onChange={({ target }) => tick(piece.id, target.checked)}
                />
                <span className="min-w-0 break-words">{formatPiece(piece)}</span>
              </label>
            </li>
          ))}
        </ul>
        <Button busy={isBusy} className="min-h-14 w-full text-lg" onClick={() => void takeOver()}>
          {missing === 0 ? 'Take Over' : `Take Over, ${missing} Missing`}
        </Button>
      </div>
    </Dialog>
  );
}
