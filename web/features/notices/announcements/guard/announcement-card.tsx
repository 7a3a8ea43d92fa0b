// What must be read, at the top of the staff portal until it is; otherwise one line while something is new.
import { Link } from '@tanstack/react-router';
import { ChevronRight, Megaphone } from 'lucide-react';
import { lazy, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { useAnnouncements } from './announcements.ts';

const AnnouncementDialog = lazy(async () => ({
  default: (await import('./announcement-dialog.tsx')).AnnouncementDialog,
}));

function NewLink({ count, more }: { count: number; more: boolean }) {
  return (
    <Link
      to="/staff/announcements"
      className="mb-3 flex min-h-12 items-center gap-3 rounded-sm border border-line bg-raised px-4 py-2 hover:border-accent-fill sm:mb-4 sm:px-5"
    >
      {!more && <Megaphone aria-hidden="true" className="size-5 shrink-0 text-accent" />}
      <span className="flex-1">
        {formatCount(count)} {more ? 'more' : 'new'}{' '}
        {count === 1 ? 'announcement' : 'announcements'}
      </span>
      <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-accent" />
    </Link>
  );
}

export function AnnouncementCard({ userId }: { userId: string }) {
  const { announcements } = useAnnouncements(userId);
  const [openedId, setOpenedId] = useState<string>();
  const close = () => setOpenedId(undefined);
  const unread = announcements.filter(({ isRead }) => !isRead);
  const [first] = unread;
  // Read in between, it stays open until the reader closes it.
  const opened = announcements.find(({ id }) => id === openedId);
  if (!first && !opened) return null;
  const shown = first?.must_read ? first : undefined;
  const others = unread.length - (shown ? 1 : 0);
  return (
    <>
      {shown && (
        <section
          aria-label="Must read"
          className="mb-3 rounded-sm border border-l-4 border-warning bg-raised p-4 shadow-panel sm:mb-4 sm:p-5"
        >
          <p className="flex items-center gap-2 text-sm font-semibold text-warning">
            <Megaphone aria-hidden="true" className="size-4.5 shrink-0" /> Must read
          </p>
          <h2 className="mt-1 font-display text-xl leading-tight break-words">{shown.title}</h2>
          <p className="mt-1 line-clamp-2 text-muted [overflow-wrap:anywhere]">{shown.body}</p>
          <Button
            aria-haspopup="dialog"
            className="mt-3 w-full sm:w-auto"
            onClick={() => setOpenedId(shown.id)}
          >
            Read
          </Button>
        </section>
      )}
      {others > 0 && <NewLink count={others} more={shown !== undefined} />}
      {opened && (
        <LazyPart fallback={<Opening title={opened.title} />} onClose={close}>
          <AnnouncementDialog userId={userId} announcement={opened} onClose={close} />
        </LazyPart>
      )}
    </>
  );
}
