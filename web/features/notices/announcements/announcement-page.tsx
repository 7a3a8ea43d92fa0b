import { Pencil, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatPhone } from '#shared/phone.ts';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import type { Column } from '#web/components/list/columns.tsx';
import { choice, type Filter } from '#web/components/list/filters.tsx';
import { ListButtons } from '#web/components/list/list-buttons.tsx';
import { ListRows } from '#web/components/list/list-rows.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { OutlinedText } from '#web/components/text/outlined-text.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDateTime, formatDay } from '#web/lib/format/dates.ts';
import { EditAnnouncementDialog } from './announcement-form.tsx';
import { type Reader, readerList, useAnnouncement, useWithdraw } from './api.ts';
import { type Announcement, audienceOf } from './schema.ts';
import type { ReaderSearch } from './search.ts';

const STATES = {
  current: { label: 'Current', tone: 'green' },
  ended: { label: 'Ended', tone: 'grey' },
  withdrawn: { label: 'Withdrawn', tone: 'grey' },
} as const;

export function StateBadge({ announcement: { state } }: { announcement: Announcement }) {
  const { label, tone } = STATES[state];
  return <Badge tone={tone}>{label}</Badge>;
}

const columns: Column<Reader>[] = [
  {
    header: 'Name',
    card: 'title',
    sort: 'name',
    className: 'font-semibold',
    cell: (row) => <PersonLink id={row.id} name={row.name} />,
  },
  {
    header: 'Phone',
    className: 'whitespace-nowrap tabular-nums',
    cell: ({ phone }) =>
      phone ? (
        <a
          href={`tel:${phone}`}
          className={buttonStyles({ variant: 'link', className: '-my-2.5' })}
        >
          {formatPhone(phone)}
        </a>
      ) : (
        '-'
      ),
  },
  {
    header: 'Read',
    card: 'aside',
    sort: 'read',
    cell: ({ read_at }) =>
      read_at === null ? (
        <Badge tone="orange">Not read</Badge>
      ) : (
        <span className="tabular-nums">{formatDateTime(read_at)}</span>
      ),
  },
  {
    header: 'Received',
    className: 'tabular-nums text-muted',
    cell: ({ received_at }) => (received_at === null ? '-' : formatDateTime(received_at)),
  },
];

const FILTERS: Filter<keyof ReaderSearch>[] = [
  choice('state', 'Readers', 'Read or not', [
    ['unread', 'Not read'],
    ['read', 'Read'],
  ]),
];

type WithdrawDialogProps = { announcement: Announcement; onClose: () => void };

function WithdrawDialog({ announcement: { id, title }, onClose }: WithdrawDialogProps) {
  const { mutateAsync } = useWithdraw();
  return (
    <ConfirmDialog
      title="Withdraw Announcement"
      question={`Withdraw “${title}”? Nobody sees it any more, and its notices are removed. This can’t be undone.`}
      confirmLabel="Withdraw"
      success="Announcement withdrawn"
      onConfirm={() => mutateAsync(id)}
      onClose={onClose}
    />
  );
}

function Actions({ announcement }: { announcement: Announcement }) {
  const [open, setOpen] = useState<'edit' | 'withdraw'>();
  const close = () => setOpen(undefined);
  if (announcement.state === 'withdrawn') return null;
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen('withdraw')}>
        <Undo2 aria-hidden="true" className="size-4.5" />
        Withdraw
      </Button>
      <Button onClick={() => setOpen('edit')}>
        <Pencil aria-hidden="true" className="size-4.5" />
        Edit
      </Button>
      {open === 'edit' && <EditAnnouncementDialog announcement={announcement} onClose={close} />}
      {open === 'withdraw' && <WithdrawDialog announcement={announcement} onClose={close} />}
    </>
  );
}

type PageProps = { id: string; search: ReaderSearch; onChange: ChangeSearch<ReaderSearch> };

/** Who has read it, and who has not: those can be called. */
function Readers({ id, search, onChange }: PageProps) {
  const filters = useMemo(() => ({ ...search, id }), [search, id]);
  const { exportRecords, ...list } = readerList.useScreen(filters, onChange);
  return (
    <ListRows
      {...list}
      label="Readers"
      searchLabel="Search by name, phone or email"
      filters={FILTERS}
      noMatch="No people match"
      Table={TableRows}
      columns={columns}
      toolbar={<ListButtons exportRecords={exportRecords} isNarrow />}
    />
  );
}

function subtitleOf(row: Announcement): string {
  const { author, created_at, last_day, version } = row;
  return [
    `To: ${audienceOf(row)}`,
    `${author ? `${author}, ` : ''}${formatDateTime(created_at)}`,
    `until ${formatDay(last_day)}`,
    ...(version > 1 ? [`version ${version}`] : []),
  ].join(' · ');
}

export function AnnouncementPage({ id, search, onChange }: PageProps) {
  return (
    <Loaded
      query={useAnnouncement(id)}
      loadingText="Loading the announcement..."
      missing="No such announcement"
    >
      {(announcement) => {
        const { title, body, readers, unread, must_read, state } = announcement;
        return (
          <>
            <Breadcrumbs
              trail={[{ label: 'Announcements', to: '/admin/announcements' }]}
              current={title}
            />
            <ScreenHeading title={title} subtitle={subtitleOf(announcement)}>
              <Actions announcement={announcement} />
            </ScreenHeading>
            <Card className="mb-7 grid gap-4 p-5 sm:p-6">
              <p className="flex flex-wrap gap-2">
                <StateBadge announcement={announcement} />
                {must_read && <Badge tone="orange">Must read</Badge>}
              </p>
              <OutlinedText text={body} level={2} />
            </Card>
            <h2 className="mb-4 font-display text-xl">
              Read by {formatCount(readers)}
              {state === 'current' && ` of ${formatCount(readers + unread)} people`}
            </h2>
            <Readers id={id} search={search} onChange={onChange} />
          </>
        );
      }}
    </Loaded>
  );
}
