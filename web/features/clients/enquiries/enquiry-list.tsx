import { Columns3, Rows2 } from 'lucide-react';
import { CONTACT_MESSAGES_STATE } from '#shared/database.values.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { choice } from '#web/components/list/filters.tsx';
import { ListScreen, type Opened } from '#web/components/list/list-screen.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { MomentText } from '#web/components/text/date-text.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { enquiryList } from './api.ts';
import { enquiryActions } from './enquiry-actions.ts';
import { EnquiryBoard } from './enquiry-board.tsx';
import { EnquiryDialog } from './enquiry-dialog.tsx';
import { setBoardView, useBoardView } from './pipeline-view.ts';
import type { Enquiry } from './schema.ts';
import type { EnquirySearch } from './search.ts';

const enquiryColumns: Column<Enquiry>[] = [
  {
    header: 'From',
    card: 'title',
    className: 'w-[24%]',
    cell: (row) => (
      // One box: the title of a card lays its parts out side by side.
      <span className="block min-w-0">
        {row.name}
        <SecondLine>{row.company}</SecondLine>
      </span>
    ),
  },
  {
    header: 'Message',
    card: 'text',
    className: 'min-w-48',
    cell: (row) => (
      <span className="line-clamp-2 text-muted [overflow-wrap:anywhere]">{row.message}</span>
    ),
  },
  {
    header: 'Received',
    className: 'whitespace-nowrap',
    cell: (row) => <MomentText at={row.created_at} />,
  },
  {
    header: 'State',
    card: 'aside',
    className: 'w-32',
    cell: (row) => <StatusBadge status={row.state} />,
  },
];

const FILTERS = [
  choice('state', 'State', 'All states', toOptions(CONTACT_MESSAGES_STATE, STATUS_LABELS)),
];

type EnquiryListProps = { search: EnquirySearch; onChange: ChangeSearch<EnquirySearch> };

const openedDialog = ({ open, onClose }: Pick<Opened<Enquiry>, 'open' | 'onClose'>) => (
  <EnquiryDialog key={open} id={open} onClose={onClose} />
);

function List({ search, onChange }: EnquiryListProps) {
  return (
    <ListScreen
      {...enquiryList.useScreen(search, onChange)}
      title="Enquiries"
      buttons={
        <Button variant="secondary" onClick={() => setBoardView(true)}>
          <Columns3 aria-hidden="true" className="size-4.5" /> Board
        </Button>
      }
      filters={FILTERS}
      bulk={enquiryActions}
      Table={TableRows}
      columns={enquiryColumns}
      opens
      dialog={openedDialog}
    />
  );
}

function Board({ search, onChange }: EnquiryListProps) {
  return (
    <>
      <ScreenHeading title="Enquiries">
        <Button variant="secondary" onClick={() => setBoardView(false)}>
          <Rows2 aria-hidden="true" className="size-4.5" /> List
        </Button>
      </ScreenHeading>
      <EnquiryBoard onOpen={(open) => onChange({ open })} />
      {typeof search.open === 'string' &&
        openedDialog({ open: search.open, onClose: () => onChange({ open: undefined }) })}
    </>
  );
}

export const EnquiryList = (props: EnquiryListProps) =>
  useBoardView() ? <Board {...props} /> : <List {...props} />;
