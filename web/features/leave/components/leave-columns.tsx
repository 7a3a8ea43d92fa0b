// The columns of the leave requests.
import { columnsOf } from '#web/components/list/columns.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { STATUS_LABELS, STATUS_TONES, TYPE_LABELS } from '../labels.ts';
import type { LeaveRow } from '../schema.ts';

export const leaveColumns = columnsOf<LeaveRow>((column) => [
  column.display({
    id: 'person',
    header: 'Person',
    meta: { card: 'title', className: 'min-w-40', sort: 'person' },
    cell: ({ row }) => row.original.person_name,
  }),
  column.display({
    id: 'type',
    header: 'Type',
    meta: { sort: 'type' },
    cell: ({ row }) => TYPE_LABELS[row.original.type],
  }),
  column.display({
    id: 'dates',
    header: 'Dates',
    meta: { className: 'whitespace-nowrap', sort: 'dates' },
    cell: ({ row: { original } }) => formatPeriod(original.start_date, original.end_date),
  }),
  column.display({
    id: 'days',
    header: 'Days',
    meta: { className: 'text-right tabular-nums', sort: 'days' },
    cell: ({ row }) => row.original.days,
  }),
  column.display({
    id: 'reason',
    header: 'Reason',
    meta: { className: 'min-w-48' },
    cell: ({ row }) => (
      <span className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
        {row.original.reason}
      </span>
    ),
  }),
  column.display({
    id: 'status',
    header: 'Status',
    meta: { card: 'aside', className: 'w-32', sort: 'status' },
    cell: ({ row: { original } }) => (
      <Badge tone={STATUS_TONES[original.status]}>{STATUS_LABELS[original.status]}</Badge>
    ),
  }),
]);
