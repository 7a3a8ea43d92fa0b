// Leave requests: who is away this month, search, filters, pages, and the dialog of the one that the address names.

import { DayFilter } from '#web/components/list/day-filter.tsx';
import { FilterSelect } from '#web/components/list/filter-select.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { exportLeave } from '../api/export-leave.ts';
import { useLeave } from '../api/list-leave.ts';
import { LEAVE_STATUSES, LEAVE_TYPES, STATUS_LABELS, TYPE_LABELS } from '../labels.ts';
import type { LeaveSearch } from '../schema.ts';
import { AwayStrip } from './away-strip.tsx';

import { leaveColumns } from './leave-columns.tsx';
import { LeaveDialog } from './leave-dialog.tsx';

const STATUS_OPTIONS = LEAVE_STATUSES.map((status) => [status, STATUS_LABELS[status]] as const);
const TYPE_OPTIONS = LEAVE_TYPES.map((type) => [type, TYPE_LABELS[type]] as const);

type LeaveListProps = { search: LeaveSearch; onChange: ChangeSearch<LeaveSearch> };

export function LeaveList({ search, onChange }: LeaveListProps) {
  const { q = '', status, type, from, to, sort, page = 1, open } = search;
  const filters = { q, status, type, from, to, sort };
  const query = useLeave({ ...filters, page });
  const narrow: typeof onChange = (change) => onChange({ ...change, page: undefined });
  const isNarrowed = [q, status, type, from, to].some(Boolean);
  return (
    <>
      <ScreenHeading title="Leave Requests">
        <ExportButton exportRecords={() => exportLeave(filters)} />
      </ScreenHeading>
      <AwayStrip search={search} onChange={onChange} />
      <ListToolbar
        searchLabel="Search leave requests"
        search={q}
        onSearch={(text) => narrow({ q: text || undefined })}
      >
        <FilterSelect
          label="Status"
          all="All statuses"
          options={STATUS_OPTIONS}
          value={status}
          onChange={(value) => narrow({ status: value })}
        />
        <FilterSelect
          label="Type"
          all="All types"
          options={TYPE_OPTIONS}
          value={type}
          onChange={(value) => narrow({ type: value })}
        />
        <div className="flex flex-wrap gap-3 max-lg:w-full">
          <DayFilter label="From" value={from} onChange={(day) => narrow({ from: day })} />
          <DayFilter label="To" value={to} onChange={(day) => narrow({ to: day })} />
        </div>
      </ListToolbar>
      <PagedTable
        query={query}
        loading="Loading leave requests..."
        empty={
          isNarrowed || page > 1
            ? 'No leave requests match. Change the search or the filters.'
            : 'No leave requests yet. What guards and staff ask for in the staff portal appears here.'
        }
        room={54}
        label="Leave requests"
        columns={leaveColumns}
        rowId={({ id }) => id}
        onOpen={({ id }) => onChange({ open: id })}
        page={page}
        sort={sort}
        onChange={onChange}
      />
      {open && <LeaveDialog key={open} id={open} onClose={() => onChange({ open: undefined })} />}
    </>
  );
}
