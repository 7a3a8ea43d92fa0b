import { useRef, useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { waitingText } from '#web/lib/outbox/submit.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import type { GuardIncident } from './own-incident.ts';
import { submitNote } from './report-note.ts';

/** What the reporter remembers later, or the answer to a question. */
export function AddNote({ incident }: { incident: GuardIncident }) {
  const [note, setNote] = useState('');
  const id = useRef(crypto.randomUUID());
  const { save, busy } = useSave();
  const isAnswer = incident.review_state === 'returned';
  const send = () =>
    save(async () => {
      const payload = { id: id.current, incident_id: incident.id, note: note.trim() };
      const outcome = await submitNote(await requireUserId(), payload, incident.title);
      id.current = crypto.randomUUID();
      setNote('');
      const answered = outcome.state === 'sent' ? 'Answer Sent' : 'Answer Saved';
      showSuccess(isAnswer ? answered : 'Note Added', waitingText(outcome));
    });
  return (
    <form
      className="mt-3 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (note.trim() !== '') void send();
      }}
    >
      <Field
        label={isAnswer ? 'Your answer' : 'Add a note'}
        hint={
          isAnswer
            ? 'Your supervisor reads it. Without a signal it is sent later.'
            : 'What you saw or heard since. Your supervisor reads it.'
        }
      >
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={limits.REPORT_NOTES_NOTE_MAX}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
      <Button
        type="submit"
        variant={isAnswer ? 'primary' : 'secondary'}
        busy={busy}
        disabled={note.trim() === ''}
        className="sm:justify-self-end"
      >
        {isAnswer ? 'Send Answer' : 'Add Note'}
      </Button>
    </form>
  );
}
