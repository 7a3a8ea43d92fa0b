// The book of the post on the guard's phone.

import {
  CarFront,
  ClipboardList,
  Eye,
  HandHelping,
  KeyRound,
  type LucideIcon,
  Package,
  PackageSearch,
  ShieldCheck,
  UserPlus,
} from 'lucide-react';
import { lazy, type ReactNode, useRef, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { waitingText } from '#web/lib/outbox/submit.ts';
import { describeLine } from '../book-line.tsx';
import { isOverdue } from '../overdue-keys.ts';
import { type BookDuty, type BookLine, useBook } from './book.ts';
import { BookPart, InsideRows, KeyRows, Lines, NOT_KNOWN } from './book-parts.tsx';
import { type BookPress, submitToBook } from './submit-book.ts';

const EntryDialog = lazy(async () => ({
  default: (await import('./book-dialogs.tsx')).EntryDialog,
}));
const VisitorDialog = lazy(async () => ({
  default: (await import('./book-dialogs.tsx')).VisitorDialog,
}));
const KeyDialog = lazy(async () => ({
  default: (await import('./book-dialogs.tsx')).KeyDialog,
}));
const StrikeDialog = lazy(async () => ({
  default: (await import('../strike-dialog.tsx')).StrikeDialog,
}));

const SHEETS = [
  ['person', 'Visitor in', UserPlus],
  ['vehicle', 'Vehicle in', CarFront],
  ['key', 'Key out', KeyRound],
  ['observation', 'Observation', Eye],
  ['delivery', 'Delivery', Package],
  ['lost_found', 'Lost & found', PackageSearch],
  ['instruction', 'Instruction', ClipboardList],
  ['handover', 'Handover', HandHelping],
] as const satisfies readonly (readonly [string, string, LucideIcon])[];
type Sheet = (typeof SHEETS)[number][0];

/** A second check within this time is a second tap. */
const SAME_CHECK_MS = 60_000;

const isRecentCheck = ({ kind, is_own, at, strike_reason }: BookLine): boolean =>
  kind === 'check' &&
  is_own &&
  strike_reason === null &&
  Math.abs(serverNow() - Date.parse(at)) < SAME_CHECK_MS;

/** The line of a press may be on the screen only after the second tap. */
const SECOND_TAP_MS = 2_000;

/** What is pressed at once: a press while one runs, or the same just after it, is a second tap. */
function usePress(userId: string, duty: BookDuty) {
  const [busy, setBusy] = useState<string>();
  const isRunning = useRef(false);
  const last = useRef<{ id: string; at: number }>(undefined);
  async function press(id: string, what: BookPress, done: string) {
    const isSecond =
      last.current?.id === id && Math.abs(serverNow() - last.current.at) < SECOND_TAP_MS;
    if (isRunning.current || isSecond) return;
    isRunning.current = true;
    setBusy(id);
    try {
      showSuccess(done, waitingText(await submitToBook(userId, duty, what)));
      last.current = { id, at: serverNow() };
    } catch (error) {
      showError('Error', describeError(error));
    } finally {
      isRunning.current = false;
      setBusy(undefined);
    }
  }
  return { busy, press };
}

type BookScreenProps = {
  userId: string;
  duty: BookDuty;
  /** The handover note, which has its own place. */
  renderHandover: (onClose: () => void) => ReactNode;
};

export function BookScreen({ userId, duty, renderHandover }: BookScreenProps) {
  const { query, isOfDuty, book } = useBook(userId, duty);
  const { busy, press } = usePress(userId, duty);
  const [sheet, setSheet] = useState<Sheet>();
  const [struck, setStruck] = useState<BookLine>();
  const close = () => setSheet(undefined);
  const isChecked = book.lines.some(isRecentCheck);
  const shared = { userId, duty, onClose: close };
  const now = useServerNow() ?? serverNow();
  const hasOverdue = book.keys.some((key) => isOverdue(key, now));
  const keysOut = book.keys.length > 0 && (
    <BookPart title={`Keys out: ${book.keys.length}`} query={query}>
      <KeyRows
        {...{ book, busy }}
        onPress={(keyId) => void press(keyId, { action: 'return', keyId }, 'Key is back')}
      />
    </BookPart>
  );
  return (
    <>
      <h1 className="font-display text-2xl leading-tight sm:text-4xl">Book of the Post</h1>
      <p className="mb-4 break-words text-muted">{duty.siteName}</p>
      <Button
        busy={busy === 'check'}
        aria-disabled={isChecked || undefined}
        className="min-h-16 w-full text-lg"
        onClick={() => {
          if (isChecked) showSuccess('Already written in this minute');
          else
            void press(
              'check',
              { action: 'write', kind: 'check', text: null },
              'All quiet, written',
            );
        }}
      >
        <ShieldCheck aria-hidden="true" className="size-6" /> All quiet
      </Button>
      <ul aria-label="Write in the book" className="mt-3 grid grid-cols-2 gap-2 sm:grid-cols-4">
        {SHEETS.map(([id, label, Icon]) => (
          <li key={id}>
            <Button
              variant="secondary"
              aria-haspopup="dialog"
              className="min-h-12 w-full justify-start px-3"
              onClick={() => setSheet(id)}
            >
              <Icon aria-hidden="true" className="size-5 text-accent" /> {label}
            </Button>
          </li>
        ))}
      </ul>
      <div className="mt-4 grid grid-cols-1 items-start gap-4 lg:grid-cols-[2fr_3fr]">
        <div className="grid gap-4">
          {hasOverdue && keysOut}
          <BookPart
            title={book.inside.length > 0 ? `Inside now: ${book.inside.length}` : 'Inside now'}
            query={query}
            isEmpty={book.inside.length === 0}
            emptyText={isOfDuty ? 'Nobody is inside.' : NOT_KNOWN}
          >
            <InsideRows
              {...{ book, busy }}
              onPress={(visitId) => void press(visitId, { action: 'leave', visitId }, 'Signed out')}
            />
          </BookPart>
          {!hasOverdue && keysOut}
        </div>
        <BookPart
          title="Last 24 hours"
          query={query}
          isEmpty={book.lines.length === 0}
          emptyText={isOfDuty ? 'Nothing is written yet.' : NOT_KNOWN}
        >
          <Lines book={book} onStrike={setStruck} />
        </BookPart>
      </div>
      {sheet === 'handover' && renderHandover(close)}
      {sheet && sheet !== 'handover' && (
        <LazyPart
          fallback={<Opening title={SHEETS.find(([id]) => id === sheet)?.[1] ?? ''} />}
          onClose={close}
        >
          {sheet === 'person' || sheet === 'vehicle' ? (
            <VisitorDialog {...shared} kind={sheet} known={book.known} />
          ) : sheet === 'key' ? (
            <KeyDialog {...shared} />
          ) : (
            <EntryDialog {...shared} kind={sheet} />
          )}
        </LazyPart>
      )}
      {struck && (
        <LazyPart
          fallback={<Opening title="Strike Through" />}
          onClose={() => setStruck(undefined)}
        >
          <StrikeDialog
            line={describeLine(struck)}
            strike={(reason) =>
              submitToBook(userId, duty, {
                ...{ action: 'strike', source: struck.source, lineId: struck.id, reason },
              })
            }
            onClose={() => setStruck(undefined)}
          />
        </LazyPart>
      )}
    </>
  );
}
