import { useId, useState } from 'react';
import { centsToNumber, formatMoney, parseCents, sumCents } from '#shared/money.ts';
import { NotSaved } from '#web/components/form/not-saved.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { type BankDocument, type BankLine, type Feed, useOpenDocuments } from './api.ts';
import { useMatchLine } from './changes.ts';

const SHOWN = 100;

const keyOf = ({ kind, id }: BankDocument) => `${kind} ${id}`;

/** Those of the same amount first, then the nearest days. */
function byLikelihood(line: BankLine, documents: readonly BankDocument[]): BankDocument[] {
  const cents = parseCents(line.amount);
  const isSame = ({ amount }: BankDocument) => (parseCents(amount) === cents ? 0 : 1);
  const apart = ({ day = '' }: BankDocument) => Math.abs(Date.parse(day) - Date.parse(line.day));
  return documents.toSorted((a, b) => isSame(a) - isSame(b) || apart(a) - apart(b));
}

function matchesText({ document, text, amount }: BankDocument, wanted: string): boolean {
  const searched = `${document} ${text} ${amount}`.toLowerCase();
  return wanted
    .toLowerCase()
    .replaceAll(',', '')
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

type ChoiceProps = {
  line: BankLine;
  feed: Feed;
  documents: readonly BankDocument[];
  onMatch: (documents: BankDocument[]) => void;
  busy: boolean;
  refusal: string | undefined;
  onClose: () => void;
};

function Choice({ line, feed, documents, onMatch, busy, refusal, onClose }: ChoiceProps) {
  const id = useId();
  const [wanted, setWanted] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const taken = documents.filter((each) => chosen.has(keyOf(each)));
  const found = byLikelihood(line, documents).filter((each) => matchesText(each, wanted));
  const left = parseCents(line.amount) - sumCents(taken.map(({ amount }) => amount));
  const [only] = taken;
  // A larger document may be paid in parts.
  const isPart =
    taken.length === 1 &&
    only !== undefined &&
    Number(only.amount) > 0 === line.amount > 0 &&
    Math.abs(Number(only.amount)) > Math.abs(line.amount);
  function toggle(document: BankDocument, isOn: boolean) {
    const next = new Set(chosen);
    if (isOn) next.add(keyOf(document));
    else next.delete(keyOf(document));
    setChosen(next);
  }
  return (
    <div className="grid gap-4">
      <Field label="Search">
        {(control) => (
          <Input
            {...control}
            type="search"
            value={wanted}
            placeholder="Name, number or amount"
            onChange={({ target }) => setWanted(target.value)}
          />
        )}
      </Field>
      {found.length === 0 ? (
        <EmptyNote>No document fits. Book the line as an entry if nothing else books it.</EmptyNote>
      ) : (
        <ul className="max-h-80 divide-y divide-line overflow-y-auto border-y border-line">
          {found.slice(0, SHOWN).map((document, index) => (
            <li key={keyOf(document)} className="relative flex min-h-11 items-center gap-3 py-2">
              <Checkbox
                id={`${id}-${index}`}
                checked={chosen.has(keyOf(document))}
                onChange={({ target }) => toggle(document, target.checked)}
              />
              <label htmlFor={`${id}-${index}`} className="min-w-0 flex-1 break-words">
                {document.document}
                <SecondLine>
                  {document.day && `${formatDay(document.day)}, `}
                  {document.text}
                </SecondLine>
              </label>
              <span className="whitespace-nowrap tabular-nums">
                {formatMoney(document.amount, feed.currency)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {found.length > SHOWN && (
        <p className="text-sm text-muted">The nearest {SHOWN}. Search for others.</p>
      )}
      <NotSaved title="Line not matched" reason={refusal} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <output className="text-sm text-muted tabular-nums">
          {taken.length === 0
            ? 'Choose what the line is.'
            : isPart
              ? 'A part of this document'
              : left === 0n
                ? 'The whole line'
                : `${formatMoney(centsToNumber(left), feed.currency)} left`}
        </output>
        <div className="flex gap-3">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            busy={busy}
            disabled={taken.length === 0 || (left !== 0n && !isPart)}
            onClick={() => onMatch(taken)}
          >
            Match
          </Button>
        </div>
      </div>
    </div>
  );
}

type MatchDialogProps = { line: BankLine; feed: Feed; onClose: () => void };

/** The documents that are the line, chosen by hand. */
export function MatchDialog({ line, feed, onClose }: MatchDialogProps) {
  const query = useOpenDocuments(feed.bank_account_id, line.day);
  const { mutateAsync, isPending } = useMatchLine();
  const [refusal, setRefusal] = useState<string>();
  function match(documents: BankDocument[]) {
    setRefusal(undefined);
    mutateAsync({ line: line.id, documents })
      .then(() => {
        showSuccess('Line matched');
        onClose();
      })
      .catch((error: unknown) => setRefusal(describeError(error)));
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Match Line"
      description={`${formatDay(line.day)}, ${formatMoney(line.amount, feed.currency)}. ${line.description ?? ''}`}
      className="sm:max-w-2xl"
    >
      <Loaded query={query} loadingText="Loading the documents...">
        {(documents) => (
          <Choice
            {...{ line, feed, documents, refusal, onClose }}
            busy={isPending}
            onMatch={match}
          />
        )}
      </Loaded>
    </Dialog>
  );
}
