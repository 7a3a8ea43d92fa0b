import { ChevronRight } from 'lucide-react';
import { Badge } from '#web/components/ui/badge.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { AnnouncementDialog } from './announcement-dialog.tsx';
import { type Announcement, useAnnouncements } from './announcements.ts';

function StateBadge({ announcement: { isRead, must_read } }: { announcement: Announcement }) {
  if (isRead) return <Badge tone="green">Read</Badge>;
  return must_read ? <Badge tone="orange">Must read</Badge> : <Badge tone="blue">New</Badge>;
}

type RowProps = { announcement: Announcement; onOpen: () => void };

function Row({ announcement, onOpen }: RowProps) {
  const { title, body, author, published_at, isRead } = announcement;
  return (
    <li>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onOpen}
        className="flex min-h-14 w-full items-center gap-3 px-4 py-3 text-left hover:bg-sunken/60 sm:px-5"
      >
        <span className="min-w-0 flex-1">
          <span className={cn('block break-words', !isRead && 'font-semibold')}>{title}</span>
          <span className="line-clamp-2 text-sm text-muted [overflow-wrap:anywhere]">{body}</span>
          <span className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <StateBadge announcement={announcement} />
            <span className="break-words tabular-nums">
              {[author, formatDateTime(published_at)].filter(Boolean).join(', ')}
            </span>
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted" />
      </button>
    </li>
  );
}

type OwnAnnouncementsProps = {
  userId: string;
  /** Id of the one to show. */
  open: string | undefined;
  onOpen: (id: string | undefined) => void;
};

/** Everything that the office has written to the user and that lasts. */
export function OwnAnnouncements({ userId, open, onOpen }: OwnAnnouncementsProps) {
  const { query, announcements } = useAnnouncements(userId);
  const opened = announcements.find(({ id }) => id === open);
  const isGone = open !== undefined && opened === undefined && query.isSuccess;
  return (
    <>
      <LoadedCard
        title="Announcements"
        level={1}
        query={query}
        loadingText="Loading announcements..."
        emptyText="No announcements. What the office writes to you appears here."
      >
        {() => (
          <>
            {isGone && (
              <p role="status" className="border-b border-line px-4 py-3 text-muted sm:px-5">
                This announcement has ended or was withdrawn.
              </p>
            )}
            <ul aria-label="Announcements" className="divide-y divide-line">
              {announcements.map((announcement) => (
                <Row
                  key={announcement.id}
                  announcement={announcement}
                  onOpen={() => onOpen(announcement.id)}
                />
              ))}
            </ul>
          </>
        )}
      </LoadedCard>
      {opened && (
        <AnnouncementDialog
          userId={userId}
          announcement={opened}
          onClose={() => onOpen(undefined)}
        />
      )}
    </>
  );
}
