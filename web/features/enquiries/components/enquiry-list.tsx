// The enquiries: search, filter, pages, and the dialog of the one that the address names.
import { FilterSelect } from '#web/components/list/filter-select.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { exportEnquiries } from '../api/export-enquiries.ts';
import { useEnquiries } from '../api/list-enquiries.ts';
import { type EnquirySearch, STATE_LABELS, STATES } from '../schema.ts';
import { enquiryColumns } from './enquiry-columns.tsx';
import { EnquiryDialog } from './enquiry-dialog.tsx';

const STATE_OPTIONS = STATES.map((state) => [state, STATE_LABELS[state]] as const);

type EnquiryListProps = { search: EnquirySearch; onChange: ChangeSearch<EnquirySearch> };

export function EnquiryList({ search, onChange }: EnquiryListProps) {
  const { q = '', state, page = 1, open } = search;
  const query = useEnquiries({ q, state, page });
  const isNarrowed = q !== '' || state !== undefined || page > 1;
  return (
    <>
      <ScreenHeading title="Enquiries">
        <ExportButton exportRecords={() => exportEnquiries({ q, state })} />
      </ScreenHeading>
      <ListToolbar
        searchLabel="Search enquiries"
        search={q}
        onSearch={(text) => onChange({ q: text || undefined, page: undefined })}
      >
        <FilterSelect
          label="State"
          all="All states"
          options={STATE_OPTIONS}
          value={state}
          onChange={(value) => onChange({ state: value, page: undefined })}
        />
      </ListToolbar>
      <PagedTable
        query={query}
        loading="Loading enquiries..."
        empty={
          isNarrowed
            ? 'No enquiries match. Change the search or the filter.'
            : 'No enquiries yet. What visitors send from the public site appears here.'
        }
        label="Enquiries"
        columns={enquiryColumns}
        rowId={({ id }) => id}
        onOpen={({ id }) => onChange({ open: id })}
        page={page}
        onChange={onChange}
      />
      {open && <EnquiryDialog key={open} id={open} onClose={() => onChange({ open: undefined })} />}
    </>
  );
}
