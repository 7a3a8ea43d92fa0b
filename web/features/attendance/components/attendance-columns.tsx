// The columns of a day's attendance. Times are those of the site's clock.
import { flagLabel } from '#shared/attendance-flags.ts';
import { columnsOf } from '#web/components/list/columns.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { formatTime, formatTimeRange } from '#web/lib/format/dates.ts';
import { presenceOf } from '../presence.ts';
import type { AttendanceRow } from '../schema.ts';

const minutes = (count: number): string => (count === 0 ? '' : `${count} min`);

function Time({ at, zone }: { at: string | null; zone: string }) {
  return at === null ? '-' : <time dateTime={at}>{formatTime(at, zone)}</time>;
}

export const attendanceColumns = columnsOf<AttendanceRow>((column) => [
  column.display({
    id: 'guard',
    header: 'Guard',
    meta: { card: 'title', className: 'min-w-28', sort: 'guard' },
    cell: ({ row }) => row.original.guard_name,
  }),
  column.display({
    id: 'site',
    header: 'Site',
    meta: { className: 'min-w-28', sort: 'site' },
    cell: ({ row: { original } }) => (
      <>
        {original.site_name}
        <span className="block text-sm text-muted">{original.client_name}</span>
      </>
    ),
  }),
  column.display({
    id: 'shift',
    header: 'Shift',
    meta: { className: 'min-w-28', sort: 'shift' },
    cell: ({ row: { original } }) =>
      formatTimeRange(original.start_time, original.end_time, original.timezone),
  }),
  column.display({
    id: 'in',
    header: 'Clock In',
    meta: { className: 'whitespace-nowrap tabular-nums', sort: 'in' },
    cell: ({ row: { original } }) => <Time at={original.clock_in_at} zone={original.timezone} />,
  }),
  column.display({
    id: 'out',
    header: 'Clock Out',
    meta: { className: 'whitespace-nowrap tabular-nums', sort: 'out' },
    cell: ({ row: { original } }) => <Time at={original.clock_out_at} zone={original.timezone} />,
  }),
  column.display({
    id: 'late',
    header: 'Late',
    meta: { className: 'text-right whitespace-nowrap tabular-nums', sort: 'late' },
    cell: ({ row }) => minutes(row.original.late_minutes),
  }),
  column.display({
    id: 'early',
    header: 'Early',
    meta: { className: 'text-right whitespace-nowrap tabular-nums', sort: 'early' },
    cell: ({ row }) => minutes(row.original.early_minutes),
  }),
  column.display({
    id: 'exceptions',
    header: 'Exceptions',
    cell: ({ row: { original } }) => {
      const told = [
        ...original.flags.map((flag) =>
          flag === 'outside_fence' && original.outside_m !== null
            ? `${flagLabel(flag)}, ${original.outside_m} m`
            : flagLabel(flag),
        ),
        ...(original.is_corrected ? ['Corrected'] : []),
      ].join('; ');
      if (!told && !original.needs_review) return null;
      return (
        <span className="text-sm">
          {told}
          {original.needs_review && (
            <span className="block font-semibold text-warning">To review</span>
          )}
        </span>
      );
    },
  }),
  column.display({
    id: 'state',
    header: 'State',
    meta: { card: 'aside' },
    cell: ({ row: { original } }) => {
      const { label, tone } = presenceOf(original);
      return <Badge tone={tone}>{label}</Badge>;
    },
  }),
]);
