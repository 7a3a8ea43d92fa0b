import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { lineLabel } from '#web/lib/vocabulary/book.ts';

type Line = {
  kind: string;
  step: string | null;
  at: string;
  words: string | null;
  author: string | null;
  strike_reason: string | null;
};

/** Lines that can be struck through, by source and step: of a visit and a key the first, which strikes both. */
const STRUCK_HERE: readonly string[] = ['entry', 'visit in', 'key out'];

/** What is recorded elsewhere is changed there. */
export const mayStrike = ({ source, step, strike_reason }: Line & { source: string }): boolean =>
  strike_reason === null && STRUCK_HERE.includes([source, step].filter(Boolean).join(' '));

/** @returns for example "Visitor in: Mary Cole" */
export const describeLine = ({ kind, step, words }: Line): string =>
  [lineLabel(kind, step), words].filter(Boolean).join(': ');

type BookLineRowProps = {
  line: Line;
  timezone: string;
  /** Beside who wrote it. */
  note?: ReactNode;
  /** At its end. */
  action?: ReactNode;
};

export function BookLineRow({ line, timezone, note, action }: BookLineRowProps) {
  const { kind, step, at, words, author, strike_reason } = line;
  const isStruck = strike_reason !== null;
  return (
    <li className="flex min-h-11 items-start gap-3 px-4 py-2.5 sm:px-5">
      <time
        dateTime={at}
        className="w-18 shrink-0 pt-px text-sm font-semibold whitespace-nowrap tabular-nums"
      >
        {formatTime(at, timezone)}
      </time>
      <div className="min-w-0 flex-1">
        <p className={cn('break-words', isStruck && 'text-muted line-through')}>
          <span className="font-semibold">{lineLabel(kind, step)}</span>
          {words && <span className="whitespace-pre-line"> {words}</span>}
        </p>
        <p className="text-sm break-words text-muted">
          {author}
          {note}
        </p>
        {isStruck && (
          <p className="text-sm break-words">
            <span className="font-semibold">Struck through:</span> {strike_reason}
          </p>
        )}
      </div>
      {action}
    </li>
  );
}
