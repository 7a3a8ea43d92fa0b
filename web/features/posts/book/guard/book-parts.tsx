// The page of the book on the phone: who is inside, keys that are out, the lines of the last day.
import type { UseQueryResult } from '@tanstack/react-query';
import { Strikethrough } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { LastUpdated, LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { cn } from '#web/lib/cn.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { visitorName } from '#web/lib/vocabulary/book.ts';
import { BookLineRow, describeLine, mayStrike } from '../book-line.tsx';
import { isOverdue, overdueFirst } from '../overdue-keys.ts';
import type { Book, BookLine } from './book.ts';

/** In an evacuation an empty list must not look like an empty site. */
export const NOT_KNOWN = 'Not known: this phone has had no signal since you clocked in.';

type BookPartProps = {
  title: string;
  query: UseQueryResult;
  isEmpty?: boolean;
  emptyText?: string;
  children: ReactNode;
};

/** What waits on this phone is shown even if the page itself could not be loaded. */
export function BookPart({ title, query, isEmpty = false, emptyText, children }: BookPartProps) {
  const id = useId();
  if (query.data === undefined && isEmpty) {
    return (
      <LoadedCard title={title} query={query} loadingText="Opening the book...">
        {() => null}
      </LoadedCard>
    );
  }
  return (
    <section aria-labelledby={id}>
      <Card>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-3.5 sm:px-5">
          <h2 id={id} className="font-display text-xl leading-tight">
            {title}
          </h2>
          <LastUpdated query={query} />
        </div>
        {isEmpty ? <p className="px-4 py-7 text-center text-muted">{emptyText}</p> : children}
      </Card>
    </section>
  );
}

type RowsProps = { book: Book; busy: string | undefined; onPress: (id: string) => void };

const ROW = 'flex min-h-14 items-center gap-3 px-4 py-2 sm:px-5';

export const InsideRows = ({ book, busy, onPress }: RowsProps) => (
  <ul aria-label="Inside now" className="divide-y divide-line">
    {book.inside.map((visit) => (
      <li key={visit.id} className={ROW}>
        <div className="min-w-0 flex-1">
          <p className="font-semibold break-words">{visitorName(visit)}</p>
          <p className="text-sm break-words text-muted">
            {[
              `Since ${formatTime(visit.in_at, book.timezone)}`,
              visit.host && `to see ${visit.host}`,
              visit.badge && `badge ${visit.badge}`,
            ]
              .filter(Boolean)
              .join(', ')}
          </p>
        </div>
        <Button
          variant="secondary"
          busy={busy === visit.id}
          aria-label={`Out: ${visitorName(visit)}`}
          onClick={() => onPress(visit.id)}
        >
          Out
        </Button>
      </li>
    ))}
  </ul>
);

export function KeyRows({ book, busy, onPress }: RowsProps) {
  const now = useServerNow() ?? serverNow();
  return (
    <ul aria-label="Keys out" className="divide-y divide-line">
      {overdueFirst(book.keys, now).map(({ id, key_name, taken_by, due_at, out_at }) => (
        <li key={id} className={cn(ROW, isOverdue({ due_at }, now) && 'bg-danger/8')}>
          <div className="min-w-0 flex-1">
            <p className="font-semibold break-words">{key_name}</p>
            <p
              className={cn(
                'text-sm break-words',
                isOverdue({ due_at }, now) ? 'text-danger' : 'text-muted',
              )}
            >
              {taken_by}, since {formatTime(out_at, book.timezone)}
              {due_at && `, back by ${formatTime(due_at, book.timezone)}`}
            </p>
          </div>
          {isOverdue({ due_at }, now) && <Badge tone="red">Overdue</Badge>}
          <Button
            variant="secondary"
            busy={busy === id}
            aria-label={`Back: ${key_name}`}
            onClick={() => onPress(id)}
          >
            Back
          </Button>
        </li>
      ))}
    </ul>
  );
}

type LinesProps = { book: Book; onStrike: (line: BookLine) => void };

export const Lines = ({ book, onStrike }: LinesProps) => (
  <ul aria-label="Last 24 hours" className="divide-y divide-line">
    {book.lines.map((line) => (
      <BookLineRow
        key={`${line.source} ${line.id} ${line.step}`}
        line={line}
        timezone={book.timezone}
        note={line.isWaiting && 'Waiting to send'}
        action={
          line.is_own &&
          mayStrike(line) && (
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Strike through ${describeLine(line)}`}
              onClick={() => onStrike(line)}
            >
              <Strikethrough aria-hidden="true" className="size-4.5" />
            </Button>
          )
        }
      />
    ))}
  </ul>
);
