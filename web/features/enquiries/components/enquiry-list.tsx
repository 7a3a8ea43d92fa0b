// The enquiries: search, filter, pages, and the dialog of the one that the address names.
import { DataTable } from '#web/components/list/data-table.tsx';
import { FilterSelect } from '#web/components/list/filter-select.tsx';
import { ListStates } from '#web/components/list/list-states.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { Pager } from '#web/components/list/pager.tsx';
import { PAGE_SIZE } from '#web/lib/list-page.ts';
import type { ChangeSearch } from '#web/lib/list-search.ts';
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
      <ListStates
        query={query}
        loading="Loading enquiries..."
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          isNarrowed
            ? 'No enquiries match. Change the search or the filter.'
            : 'No enquiries yet. What visitors send from the public site appears here.'
        }
      >
        {({ rows, total }) => (
          <>
            <DataTable
              label="Enquiries"
              columns={enquiryColumns}
              rows={rows}
              rowId={({ id }) => id}
              onOpen={({ id }) => onChange({ open: id })}
            />
            <Pager
              page={page}
              pageSize={PAGE_SIZE}
              total={total}
              onPage={(next) => onChange({ page: next === 1 ? undefined : next })}
            />
          </>
        )}
      </ListStates>
      {open && <EnquiryDialog key={open} id={open} onClose={() => onChange({ open: undefined })} />}
    </>
  );
}
