import type { Column } from '#web/components/list/columns.tsx';
import { FilterSelect } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { ENQUIRY_STATUSES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { exportEnquiries, useEnquiries } from './api.ts';
import { EnquiryDialog } from './enquiry-dialog.tsx';
import type { Enquiry, EnquirySearch } from './schema.ts';

const enquiryColumns: Column<Enquiry>[] = [
  {
    header: 'From',
    card: 'title',
    className: 'w-[24%]',
    cell: (row) => (
      <span className="break-words">
        {row.name}
        {row.company && <span className="block text-sm font-normal text-muted">{row.company}</span>}
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
    cell: (row) => <time dateTime={row.created_at}>{formatDateTime(row.created_at)}</time>,
  },
  {
    header: 'State',
    card: 'aside',
    className: 'w-32',
    cell: (row) => <StatusBadge status={row.state} />,
  },
];

const STATE_OPTIONS = ENQUIRY_STATUSES.map((state) => [state, STATUS_LABELS[state]] as const);

type EnquiryListProps = { search: EnquirySearch; onChange: ChangeSearch<EnquirySearch> };

export function EnquiryList({ search, onChange }: EnquiryListProps) {
  const { q = '', state, page = 1, open } = search;
  const query = useEnquiries({ q, state, page });
  const isNarrowed = q !== '' || state !== undefined || page > 1;
  return (
    <ListScreen
      title="Enquiries"
      exportRecords={() => exportEnquiries({ q, state })}
      searchLabel="Search enquiries"
      q={q}
      onChange={onChange}
      filters={
        <FilterSelect
          label="State"
          all="All states"
          options={STATE_OPTIONS}
          value={state}
          onChange={(value) => onChange({ state: value, page: undefined })}
        />
      }
    >
      <PagedTable
        query={query}
        loading="Loading enquiries..."
        empty={
          isNarrowed
            ? 'No enquiries match. Change the search or the filter.'
            : 'No enquiries yet. Messages from the public site appear here.'
        }
        label="Enquiries"
        columns={enquiryColumns}
        rowId={({ id }) => id}
        onOpen={({ id }) => onChange({ open: id })}
        page={page}
        onChange={onChange}
      />
      {open && <EnquiryDialog key={open} id={open} onClose={() => onChange({ open: undefined })} />}
    </ListScreen>
  );
}
