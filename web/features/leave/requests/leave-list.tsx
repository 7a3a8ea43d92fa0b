import { LEAVE_REQUESTS_STATUS, LEAVE_REQUESTS_TYPE } from '#shared/database.values.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { choice, type Filter } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { Weekday } from '#web/components/text/date-text.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { LEAVE_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { leaveList } from './api.ts';
import { AwayCalendar } from './away-calendar.tsx';
import { EnterLeaveDialog } from './enter-leave-dialog.tsx';
import { leaveActions } from './leave-actions.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import type { LeaveRow } from './schema.ts';
import type { LeaveSearch } from './search.ts';

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
    cell: (row) => (
      <>
        <Weekday at={`${row.start_date}T00:00Z`} zone="UTC" />
        {formatPeriod(row.start_date, row.end_date)}
      </>
    ),
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

const FILTERS: Filter<keyof LeaveSearch>[] = [
  choice('status', 'Status', 'All statuses', toOptions(LEAVE_REQUESTS_STATUS, STATUS_LABELS)),
  choice('type', 'Type', 'All types', toOptions(LEAVE_REQUESTS_TYPE, LEAVE_TYPE_LABELS)),
  { kind: 'day', key: 'from', label: 'From' },
  { kind: 'day', key: 'to', label: 'To' },
];

type LeaveListProps = { search: LeaveSearch; onChange: ChangeSearch<LeaveSearch> };

export function LeaveList({ search, onChange }: LeaveListProps) {
  const { user } = useAuth();
  return (
    <ListScreen
      {...leaveList.useScreen(search, onChange)}
      title="Leave Requests"
      addLabel="Enter Request"
      summary={<AwayCalendar search={search} onChange={onChange} />}
      summaryLabel="Who is away"
      filters={FILTERS}
      room={54}
      bulk={leaveActions(user?.id)}
      Table={TableRows}
      columns={leaveColumns}
      opens
      dialog={({ open, onClose }) =>
        open === 'new' ? (
          <EnterLeaveDialog onClose={onClose} />
        ) : (
          <LeaveDialog key={open} id={open} onClose={onClose} />
        )
      }
    />
  );
}
