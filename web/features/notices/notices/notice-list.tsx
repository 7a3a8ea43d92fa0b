import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { LoadedList } from '#web/components/ui/loaded-card.tsx';
import { placeOfLink } from '#web/lib/app/place-of-link.ts';
import { cn } from '#web/lib/cn.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { type Notice, useNotices, useReadNotices } from './api.ts';

function NoticeContent({ notice, isNew }: { notice: Notice; isNew: boolean }) {
  const { title, body, created_at, link } = notice;
  return (
    <>
      <span
        aria-hidden="true"
        className={cn('mt-2 size-2 shrink-0 rounded-full', isNew && 'bg-accent-fill')}
      />
      <span className="min-w-0 flex-1">
        <span className={cn('block break-words', isNew && 'font-semibold')}>
          {isNew && <span className="sr-only">Unread: </span>}
          {title}
        </span>
        {body && (
          <span className="block text-sm break-words whitespace-pre-line text-muted">{body}</span>
        )}
        <time dateTime={created_at} className="mt-0.5 block text-sm text-muted tabular-nums">
          {formatDateTime(created_at)}
        </time>
      </span>
      {link && (
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 self-center text-muted" />
      )}
    </>
  );
}

/** @param level of the heading */
export function NoticeList({ level = 1 }: { level?: 1 | 2 }) {
  const query = useNotices();
  const unread = query.data?.filter(({ read_at }) => read_at === null) ?? [];
  // They stay marked until the screen is left, although they are read once they are shown.
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  if (unread.some(({ id }) => !marked.has(id))) {
    setMarked(new Set([...marked, ...unread.map(({ id }) => id)]));
  }
  useReadNotices(unread.length > 0);
  return (
    <LoadedList
      title="Notices"
      level={level}
      query={query}
      loadingText="Loading notices..."
      emptyText="No notices yet. Changes of your shifts appear here."
    >
      {(notice) => (
        <li key={notice.id}>
          {notice.link ? (
            <Link
              {...placeOfLink(notice.link)}
              className="flex min-h-14 gap-3 px-4 py-3 hover:bg-sunken/60 focus-visible:-outline-offset-3 sm:px-5"
            >
              <NoticeContent notice={notice} isNew={marked.has(notice.id)} />
            </Link>
          ) : (
            <div className="flex min-h-14 gap-3 px-4 py-3 sm:px-5">
              <NoticeContent notice={notice} isNew={marked.has(notice.id)} />
            </div>
          )}
        </li>
      )}
    </LoadedList>
  );
}
