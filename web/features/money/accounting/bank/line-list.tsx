import { useState } from 'react';
import { formatMoney } from '#shared/money.ts';
import { Pager } from '#web/components/list/pager.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import {
  type BankDocument,
  type BankLine,
  type Feed,
  LINES_PAGE,
  type Lines,
  type Proposal,
  useLines,
  useProposals,
} from './api.ts';
import { BookDialog } from './book-dialog.tsx';
import { useMatchLine, useUnmatchLine } from './changes.ts';
import { MatchDialog } from './match-dialog.tsx';
import { ReceiveDialog } from './receive-dialog.tsx';

const NAMED = 3;

/** @returns the documents of a line in one text */
function nameDocuments(documents: readonly BankDocument[]): string {
  const named = documents
    .slice(0, NAMED)
    .map(({ document, text }) => [document, text].filter(Boolean).join(', '));
  const more = documents.length - named.length;
  return more > 0 ? `${named.join('; ')} and ${more} more` : named.join('; ');
}

function AcceptButton({ line, proposal }: { line: BankLine; proposal: Proposal }) {
  const { mutate, isPending } = useMatchLine();
  const accept = () =>
    mutate(
      { line: line.id, documents: proposal.documents },
      {
        onSuccess: () => showSuccess('Line matched'),
        onError: (error) => showError('Line not matched', describeError(error)),
      },
    );
  return (
    <Button
      busy={isPending}
      variant={proposal.sure ? 'primary' : 'secondary'}
      aria-label={`Accept: ${proposal.documents[0]?.document ?? ''}`}
      onClick={accept}
    >
      Accept
    </Button>
  );
}

type Opened = { line: BankLine; as: keyof typeof DIALOGS };
const DIALOGS = { match: MatchDialog, receive: ReceiveDialog, book: BookDialog };

type OpenLineProps = {
  line: BankLine;
  proposal: Proposal | undefined;
  onOpen: (as: Opened['as']) => void;
};

function OpenLine({ line, proposal, onOpen }: OpenLineProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-sm bg-sunken px-4 py-3">
      <div className="min-w-0 flex-1 basis-60 break-words">
        {proposal ? (
          <>
            <p>{nameDocuments(proposal.documents)}</p>
            <p className="text-sm text-muted">
              {proposal.sure && (
                <Badge tone="green" className="mr-2">
                  Sure
                </Badge>
              )}
              {proposal.reason}
            </p>
          </>
        ) : (
          <p className="text-muted">No document fits by amount and day</p>
        )}
      </div>
      <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1 max-sm:*:px-2">
        {proposal && <AcceptButton line={line} proposal={proposal} />}
        <Button variant="secondary" onClick={() => onOpen('match')}>
          Match…
        </Button>
        {line.amount > 0 && !proposal && (
          <Button variant="secondary" onClick={() => onOpen('receive')}>
            Receipt…
          </Button>
        )}
        <Button variant="secondary" onClick={() => onOpen('book')}>
          Book…
        </Button>
      </div>
    </div>
  );
}

function MatchedLine({ line, documents }: { line: BankLine; documents: BankDocument[] }) {
  const { mutate, isPending } = useUnmatchLine();
  const undo = () =>
    mutate(line.id, {
      onSuccess: () => showSuccess('Match undone'),
      onError: (error) => showError('Match not undone', describeError(error)),
    });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="min-w-0 flex-1 basis-60 break-words text-muted">{nameDocuments(documents)}</p>
      <Button variant="secondary" busy={isPending} onClick={undo}>
        Undo Match
      </Button>
    </div>
  );
}

type RowsProps = { feed: Feed; lines: Lines; isMatched: boolean; proposals: readonly Proposal[] };

function Rows({ feed, lines, isMatched, proposals }: RowsProps) {
  const [opened, setOpened] = useState<Opened>();
  const Dialog = opened && DIALOGS[opened.as];
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {lines.rows.map((line) => (
          <li key={line.id} className="grid gap-3 py-4">
            <div className="flex items-start justify-between gap-4">
              <div className="min-w-0 break-words">
                <p className="font-semibold">{line.description ?? line.reference ?? 'No text'}</p>
                <SecondLine>
                  {[formatDay(line.day), line.description && line.reference]
                    .filter(Boolean)
                    .join(', ')}
                </SecondLine>
              </div>
              <p className="font-semibold whitespace-nowrap tabular-nums">
                {formatMoney(line.amount, feed.currency)}
              </p>
            </div>
            {isMatched ? (
              <MatchedLine
                line={line}
                documents={lines.matches.filter(({ line_id }) => line_id === line.id)}
              />
            ) : (
              <OpenLine
                line={line}
                proposal={proposals.find(({ line_id }) => line_id === line.id)}
                onOpen={(as) => setOpened({ line, as })}
              />
            )}
          </li>
        ))}
      </ul>
      {Dialog && <Dialog line={opened.line} feed={feed} onClose={() => setOpened(undefined)} />}
    </>
  );
}

type LineListProps = {
  feed: Feed;
  isMatched: boolean;
  page: number;
  onPage: (page: number) => void;
};

/** The open or the matched lines of an account. */
export function LineList({ feed, isMatched, page, onPage }: LineListProps) {
  const account = feed.bank_account_id;
  const { data: proposals = [] } = useProposals(account);
  return (
    <Loaded query={useLines({ account, isMatched, page })} loadingText="Loading the lines...">
      {(lines) =>
        lines.total === 0 ? (
          <EmptyNote>
            {isMatched
              ? 'No line is matched yet.'
              : 'Every line is matched. Import the next statement when you have it.'}
          </EmptyNote>
        ) : (
          <>
            <Rows {...{ feed, lines, isMatched, proposals }} />
            <Pager page={page} pageSize={LINES_PAGE} total={lines.total} onPage={onPage} />
          </>
        )
      }
    </Loaded>
  );
}
