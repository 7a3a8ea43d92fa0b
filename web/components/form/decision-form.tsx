import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { NotSaved } from './not-saved.tsx';

type Note = { note: string };
type Outcome = 'approved' | 'rejected';

type DecisionFormProps = {
  schema: z.ZodType<Note, Note>;
  /** Under the note, for example who reads it. */
  hint: string;
  decide: (outcome: Outcome, note: string) => Promise<void>;
  onCancel: () => void;
};

type DecisionProps = {
  status: keyof typeof STATUS_LABELS;
  /** Name of the person who decided, if it is known. */
  by: string | null | undefined;
  at: string | null;
  note: string | null;
};

export function Decision({ status, by, at, note }: DecisionProps) {
  const who = by ? ` by ${by}` : '';
  const when = at ? `, ${formatDateTime(at)}` : '';
  return (
    <Alert title={`${STATUS_LABELS[status]}${who}${when}`}>
      {note && <p className="whitespace-pre-line">{note}</p>}
    </Alert>
  );
}

/** Approves or rejects something, with a note; at the foot of the dialog that shows it. */
export function DecisionForm({ schema, hint, decide, onCancel }: DecisionFormProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  const { register, handleSubmit, setError, formState } = useForm<Note>({
    resolver: zodResolver(schema),
    defaultValues: { note: '' },
  });
  const { isSubmitting, errors } = formState;
  const submit = (chosen: Outcome) =>
    handleSubmit(async ({ note }) => {
      setOutcome(chosen);
      try {
        await decide(chosen, note);
      } catch (error) {
        const message = describeError(error);
        setError('root', { message });
        showError('The decision was not saved', message);
      }
    });
  const isRejecting = isSubmitting && outcome === 'rejected';
  const isApproving = isSubmitting && outcome === 'approved';
  return (
    <form
      onSubmit={(event) => event.preventDefault()}
      noValidate
      className="grid gap-5 border-t border-line pt-5"
    >
      <Field label="Note" optional hint={hint} error={errors.note?.message}>
        {(control) => <Textarea {...control} {...register('note')} rows={2} />}
      </Field>
      <NotSaved reason={errors.root?.message} />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          variant="danger"
          busy={isRejecting}
          disabled={isApproving}
          onClick={submit('rejected')}
        >
          {isRejecting ? 'Rejecting...' : 'Reject'}
        </Button>
        <Button busy={isApproving} disabled={isRejecting} onClick={submit('approved')}>
          {isApproving ? 'Approving...' : 'Approve'}
        </Button>
      </div>
    </form>
  );
}
