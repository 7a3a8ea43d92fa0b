import { CONTACT_MESSAGES_STATE } from '#shared/database.values.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { choice } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { MomentText } from '#web/components/text/date-text.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { enquiryList } from './api.ts';
import { enquiryActions } from './enquiry-actions.ts';
import { EnquiryDialog } from './enquiry-dialog.tsx';
import type { Enquiry } from './schema.ts';
import type { EnquirySearch } from './search.ts';

const enquiryColumns: Column<Enquiry>[] = [
  {
    header: 'From',
    card: 'title',
    className: 'w-[24%]',
    cell: (row) => (
      <>
        {row.name}
        <SecondLine>{row.company}</SecondLine>
      </>
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

export function EnquiryList({ search, onChange }: EnquiryListProps) {
  return (
    <ListScreen
      {...enquiryList.useScreen(search, onChange)}
      title="Enquiries"
      filters={FILTERS}
      bulk={enquiryActions}
      Table={TableRows}
      columns={enquiryColumns}
      opens
      dialog={({ open, onClose }) => <EnquiryDialog key={open} id={open} onClose={onClose} />}
    />
  );
}
