import { formatCount } from '#shared/count.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { nameInWords } from '#web/lib/format/letter-case.ts';
import { type EntryDetails, useEntry, useUndoEntry } from './api.ts';
import { type Change, displayValue, isUnnamed } from './changes.ts';
import { ACTION_LABELS, ACTION_TONES } from './labels.ts';

/** Longer values are collapsed, so that the other fields stay in view. Characters. */
const COLLAPSE_AFTER = 160;

function Value({ text }: { text: string }) {
  if (text.length <= COLLAPSE_AFTER) return <span className="whitespace-pre-line">{text}</span>;
  return (
    <details>
      <summary className="cursor-pointer">
        {text.slice(0, COLLAPSE_AFTER).trimEnd()}…{' '}
        <span className="text-accent underline">show all</span>
      </summary>
      <p className="mt-2 border-t border-line pt-2 whitespace-pre-line">{text}</p>
    </details>
  );
}

type FieldProps = {
  change: Change;
  names: EntryDetails['names'];
  action: EntryDetails['entry']['action'];
};

function Field({ change: { field, before, after }, names, action }: FieldProps) {
  return (
    <div className="grid gap-x-5 gap-y-1.5 py-3 sm:grid-cols-[9rem_1fr]">
      <dt className="text-sm text-muted">{nameInWords(field)}</dt>
      <dd className="grid min-w-0 gap-1.5 text-[0.9375rem] [overflow-wrap:anywhere]">
        {action !== 'insert' && (
          <div className={action === 'update' ? 'text-muted line-through decoration-muted/60' : ''}>
            {action === 'update' && <span className="sr-only">Before: </span>}
            <Value text={displayValue(field, before, names)} />
          </div>
        )}
        {action !== 'delete' && (
          <div className={action === 'update' ? 'font-semibold' : ''}>
            {action === 'update' && <span className="sr-only">After: </span>}
            <Value text={displayValue(field, after, names)} />
          </div>
        )}
      </dd>
    </div>
  );
}

type DetailsProps = {
  details: EntryDetails;
  onOpen: (id: string) => void;
  onHistory: (row: string) => void;
};

function UndoButton({ id, undoable }: { id: string; undoable: number }) {
  const { mutateAsync, isPending } = useUndoEntry();
  // Not callbacks of mutate: the button is gone once the entry is undone.
  const undo = () =>
    void mutateAsync(id)
      .then((leftOut) =>
        showSuccess(
          'Undone',
          leftOut.length > 0 ? `Not assigned again: ${leftOut.join(' ')}` : undefined,
        ),
      )
      .catch((error: unknown) => showError('Not undone', describeError(error)));
  return (
    <Button variant="secondary" busy={isPending} onClick={undo}>
      {undoable === 1 ? 'Undo' : `Undo All ${formatCount(undoable)}`}
    </Button>
  );
}

function Details({ details, onOpen, onHistory }: DetailsProps) {
  const { entry, undoable, sentence, caused, changes, names } = details;
  const shown = changes.filter((change) => !isUnnamed(change, names));
  return (
    <div className="grid gap-5">
      <div className="grid gap-3">
        <p className="font-semibold [overflow-wrap:anywhere]">{sentence}</p>
        <div className="flex flex-wrap items-center gap-2.5 text-sm text-muted">
          <Badge tone={ACTION_TONES[entry.action]}>{ACTION_LABELS[entry.action]}</Badge>
          <p className="min-w-0 [overflow-wrap:anywhere]">
            {nameInWords(entry.table_name)},{' '}
            <time dateTime={entry.at}>{formatLongDateTime(entry.at)}</time>, by{' '}
            {entry.actor_email ?? 'the system'}
          </p>
        </div>
        <div className="flex flex-wrap gap-2.5">
          {undoable > 0 && <UndoButton id={entry.id} undoable={undoable} />}
          <Button variant="secondary" onClick={() => onHistory(entry.row_id)}>
            History of this record
          </Button>
        </div>
      </div>
      {shown.length === 0 ? (
        <p className="text-muted">No fields were recorded.</p>
      ) : (
        <dl className="divide-y divide-line border-y border-line">
          {shown.map((change) => (
            <Field key={change.field} change={change} names={names} action={entry.action} />
          ))}
        </dl>
      )}
      {caused.length > 0 && (
        <section>
          <h3 className="text-sm text-muted">The same action</h3>
          <ul className="mt-1.5 grid gap-1">
            {caused.map(({ id, sentence: other }) => (
              <li key={id}>
                <button
                  type="button"
                  onClick={() => onOpen(id)}
                  className="min-h-11 w-full text-left text-accent underline-offset-4 [overflow-wrap:anywhere] hover:underline"
                >
                  {other}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

type EntryDialogProps = {
  id: string;
  onOpen: (id: string) => void;
  onHistory: (row: string) => void;
  onClose: () => void;
};

export function EntryDialog({ id, onOpen, onHistory, onClose }: EntryDialogProps) {
  return (
    <DetailDialog
      query={useEntry(id)}
      title="What Changed"
      missing="This entry does not exist."
      onClose={onClose}
    >
      {(details) => <Details details={details} onOpen={onOpen} onHistory={onHistory} />}
    </DetailDialog>
  );
}
