import { Link } from '@tanstack/react-router';
import { formatCount } from '#shared/count.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { choice, type Filter } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDateTime, formatDay } from '#web/lib/format/dates.ts';
import { NewAnnouncementDialog } from './announcement-form.tsx';
import { StateBadge } from './announcement-page.tsx';
import { announcementList } from './api.ts';
import { type Announcement, audienceOf } from './schema.ts';
import type { AnnouncementSearch } from './search.ts';

const COUNT = buttonStyles({ variant: 'link', className: '-my-2.5 tabular-nums' });

/** Both lead to the list of those people. */
function ReaderCounts({ row: { id, title, readers, unread } }: { row: Announcement }) {
  const link = { to: '/admin/announcements/$id', params: { id }, className: COUNT } as const;
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-3">
      <Link {...link} search={{ state: 'read' }} aria-label={`${readers} read, ${title}`}>
        {formatCount(readers)} read
      </Link>
      {unread > 0 && (
        <Link {...link} search={{ state: 'unread' }} aria-label={`${unread} not read, ${title}`}>
          {formatCount(unread)} not read
        </Link>
      )}
    </span>
  );
}

const columns: Column<Announcement>[] = [
  {
    header: 'Title',
    card: 'title',
    sort: 'title',
    className: 'font-semibold min-w-48',
    cell: ({ id, title, must_read }) => (
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to="/admin/announcements/$id"
          params={{ id }}
          className="min-w-0 underline decoration-accent/45 underline-offset-4 [overflow-wrap:anywhere] hover:decoration-accent"
        >
          {title}
        </Link>
        {must_read && <Badge tone="orange">Must read</Badge>}
      </span>
    ),
  },
  {
    header: 'To',
    cell: (row) =>
      row.site_id !== null && row.site_name !== null ? (
        <SiteLink id={row.site_id} name={row.site_name} />
      ) : (
        audienceOf(row)
      ),
  },
  { header: 'Readers', cell: (row) => <ReaderCounts row={row} /> },
  {
    header: 'Written',
    sort: 'written',
    cell: ({ created_at, author }) => (
      <span className="tabular-nums">
        <span className="whitespace-nowrap">{formatDateTime(created_at)}</span>
        {author && <SecondLine wraps>{author}</SecondLine>}
      </span>
    ),
  },
  {
    header: 'Last Day',
    sort: 'last',
    className: 'whitespace-nowrap',
    cell: (row) => formatDay(row.last_day),
  },
  { header: 'State', card: 'aside', cell: (row) => <StateBadge announcement={row} /> },
];

const FILTERS: Filter<keyof AnnouncementSearch>[] = [
  choice('state', 'State', 'Current', [
    ['ended', 'Ended'],
    ['withdrawn', 'Withdrawn'],
    ['all', 'All'],
  ]),
];

type AnnouncementListProps = {
  search: AnnouncementSearch;
  onChange: ChangeSearch<AnnouncementSearch>;
};

export function AnnouncementList({ search, onChange }: AnnouncementListProps) {
  return (
    <ListScreen
      {...announcementList.useScreen(search, onChange)}
      title="Announcements"
      subtitle="What everybody, a region, a site or a role reads in the staff portal, and who has."
      addLabel="Write Announcement"
      filters={FILTERS}
      Table={TableRows}
      columns={columns}
      dialog={({ open, onClose }) => open === 'new' && <NewAnnouncementDialog onClose={onClose} />}
    />
  );
}
