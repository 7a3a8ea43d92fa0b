import { Link } from '@tanstack/react-router';
import { ChevronRight, NotebookPen } from 'lucide-react';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { isOverdue } from '../overdue-keys.ts';
import { type BookDuty, useBook } from './book.ts';

/** On the home screen. Loads the page as well, so that it can be read without a signal. */
export function BookLink({ userId, duty }: { userId: string; duty: BookDuty }) {
  const { book } = useBook(userId, duty);
  const { inside, keys } = book;
  const time = useServerNow() ?? serverNow();
  const late = keys.filter((key) => isOverdue(key, time)).length;
  const out = keys.length - late;
  const now = [
    inside.length > 0 && `${inside.length} inside`,
    out > 0 && `${out} ${out === 1 ? 'key' : 'keys'} out`,
  ].filter(Boolean);
  return (
    <Link
      to="/staff/book"
      className="flex min-h-14 items-center gap-3 rounded-sm border border-line bg-raised px-4 py-2 shadow-panel transition-[border-color] hover:border-accent-fill sm:px-5"
    >
      <NotebookPen aria-hidden="true" className="size-6 shrink-0 text-accent" />
      <span className="min-w-0 flex-1">
        <span className="block font-display text-xl leading-tight">Book of the Post</span>
        <SecondLine>
          {late > 0 && (
            <strong className="text-danger">
              {late === 1 ? 'Key overdue' : `${late} keys overdue`}
              {now.length > 0 && ', '}
            </strong>
          )}
          {now.length > 0 || late > 0 ? now.join(', ') : 'All quiet, visitors, keys'}
        </SecondLine>
      </span>
      <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-accent" />
    </Link>
  );
}
