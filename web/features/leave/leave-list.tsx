import type { Column } from '#web/components/list/columns.tsx';
import { DayFilter } from '#web/components/list/day-filter.tsx';
import { FilterSelect } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { LEAVE_TYPE_LABELS, LEAVE_TYPES } from '#web/lib/vocabulary/kinds.ts';
import { LEAVE_STATUSES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { exportLeave, useLeave } from './api.ts';
import { AwayCalendar } from './away-calendar.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import type { LeaveRow, LeaveSearch } from './schema.ts';

const leaveColumns: Column<LeaveRow>[] = [
  {
    header: 'Person',
    card: 'title',
    className: 'min-w-40',
    sort: 'person',
    cell: (row) => row.person_name,
  },
  { header: 'Type', sort: 'type', cell: (row) => LEAVE_TYPE_LABELS[row.type] },
  {
    header: 'Dates',
    className: 'whitespace-nowrap',
    sort: 'dates',
    cell: (row) => formatPeriod(row.start_date, row.end_date),
  },
  { header: 'Days', className: 'text-right tabular-nums', sort: 'days', cell: (row) => row.days },
  {
    header: 'Reason',
    className: 'min-w-48',
    cell: (row) => (
      <span className="line-clamp-2 text-muted [overflow-wrap:anywhere]">{row.reason}</span>
    ),
  },
  {
    header: 'Status',
    card: 'aside',
    className: 'w-32',
    sort: 'status',
    cell: (row) => <StatusBadge status={row.status} />,
  },
];

const STATUS_OPTIONS = LEAVE_STATUSES.map((status) => [status, STATUS_LABELS[status]] as const);
const TYPE_OPTIONS = LEAVE_TYPES.map((type) => [type, LEAVE_TYPE_LABELS[type]] as const);

type LeaveListProps = { search: LeaveSearch; onChange: ChangeSearch<LeaveSearch> };

export function LeaveList({ search, onChange }: LeaveListProps) {
  const { q = '', status, type, from, to, sort, page = 1, open } = search;
  const filters = { q, status, type, from, to, sort };
  const query = useLeave({ ...filters, page });
  const filter: typeof onChange = (change) => onChange({ ...change, page: undefined });
  const isFiltered = [q, status, type, from, to].some(Boolean);
  return (
    <ListScreen
      title="Leave Requests"
      exportRecords={() => exportLeave(filters)}
      summary={<AwayCalendar search={search} onChange={onChange} />}
      searchLabel="Search leave requests"
      q={q}
      onChange={onChange}
      filters={
        <>
          <FilterSelect
            label="Status"
            all="All statuses"
            options={STATUS_OPTIONS}
            value={status}
            onChange={(value) => filter({ status: value })}
          />
          <FilterSelect
            label="Type"
            all="All types"
            options={TYPE_OPTIONS}
            value={type}
            onChange={(value) => filter({ type: value })}
          />
          <div className="flex flex-wrap gap-3 max-lg:w-full">
            <DayFilter label="From" value={from} onChange={(day) => filter({ from: day })} />
            <DayFilter label="To" value={to} onChange={(day) => filter({ to: day })} />
          </div>
        </>
      }
    >
      <PagedTable
        query={query}
        loading="Loading leave requests..."
        empty={
          isFiltered || page > 1
            ? 'No leave requests match. Change the search or the filters.'
            : 'No leave requests yet. Requests from the staff portal appear here.'
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
    </ListScreen>
  );
}
