import { useState } from 'react';
import { flagLabel } from '#shared/attendance-flags.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { DayFilter } from '#web/components/list/day-filter.tsx';
import { SiteFilter } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay, formatTime, formatTimeRange } from '#web/lib/format/dates.ts';
import { exportAttendance, useAttendance } from './api.ts';
import { AttendanceDialog } from './attendance-dialog.tsx';
import { presenceOf } from './attendance-states.ts';
import { DaySheet } from './day-sheet.tsx';
import { type AttendanceRow, type AttendanceSearch, shownDay } from './schema.ts';
import { StateChips } from './state-chips.tsx';

const minutes = (count: number): string => (count === 0 ? '' : `${count} min`);

function Time({ at, zone }: { at: string | null; zone: string }) {
  return at === null ? '-' : <time dateTime={at}>{formatTime(at, zone)}</time>;
}

const attendanceColumns: Column<AttendanceRow>[] = [
  {
    header: 'Guard',
    card: 'title',
    className: 'min-w-28',
    sort: 'guard',
    cell: (row) => row.guard_name,
  },
  {
    header: 'Site',
    className: 'min-w-28',
    sort: 'site',
    cell: (row) => (
      <>
        {row.site_name}
        <span className="block text-sm text-muted">{row.client_name}</span>
      </>
    ),
  },
  {
    header: 'Shift',
    className: 'min-w-28',
    sort: 'shift',
    cell: (row) => formatTimeRange(row.start_time, row.end_time, row.timezone),
  },
  {
    header: 'Clock In',
    className: 'whitespace-nowrap tabular-nums',
    sort: 'in',
    cell: (row) => <Time at={row.clock_in_at} zone={row.timezone} />,
  },
  {
    header: 'Clock Out',
    className: 'whitespace-nowrap tabular-nums',
    sort: 'out',
    cell: (row) => <Time at={row.clock_out_at} zone={row.timezone} />,
  },
  {
    header: 'Late',
    className: 'text-right whitespace-nowrap tabular-nums',
    sort: 'late',
    cell: (row) => minutes(row.late_minutes),
  },
  {
    header: 'Early',
    className: 'text-right whitespace-nowrap tabular-nums',
    sort: 'early',
    cell: (row) => minutes(row.early_minutes),
  },
  {
    header: 'Exceptions',
    cell: (row) => {
      const exceptions = [
        ...row.flags.map((flag) =>
          flag === 'outside_fence' && row.outside_m !== null
            ? `${flagLabel(flag)}, ${row.outside_m} m`
            : flagLabel(flag),
        ),
        ...(row.is_corrected ? ['Corrected'] : []),
      ].join('; ');
      if (!exceptions && !row.needs_review) return null;
      return (
        <span className="text-sm">
          {exceptions}
          {row.needs_review && <span className="block font-semibold text-warning">To review</span>}
        </span>
      );
    },
  },
  {
    header: 'State',
    card: 'aside',
    cell: (row) => {
      const { label, tone } = presenceOf(row);
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
];

type AttendanceListProps = { search: AttendanceSearch; onChange: ChangeSearch<AttendanceSearch> };

export function AttendanceList({ search, onChange }: AttendanceListProps) {
  const { q = '', day, site, state, sort, page = 1, open } = search;
  const filters = { q, day, site, state, sort };
  const query = useAttendance({ ...filters, page });
  const [isSheetOpen, setSheetOpen] = useState(false);
  const shown = shownDay(search);
  const narrow: typeof onChange = (change) => onChange({ ...change, page: undefined });
  return (
    <ListScreen
      title="Attendance"
      subtitle={
        shown
          ? `Shifts starting on ${formatDay(shown)}, and shifts still in progress`
          : 'Open work from every day'
      }
      exportRecords={() => exportAttendance(filters)}
      buttons={
        <Button variant="secondary" onClick={() => setSheetOpen(true)}>
          Day Sheet
        </Button>
      }
      summary={<StateChips search={search} onState={(next) => narrow({ state: next })} />}
      searchLabel="Search guards"
      q={q}
      onChange={onChange}
      filters={
        <>
          <DayFilter label="Day" value={shown} onChange={(next) => narrow({ day: next })} />
          <SiteFilter value={site} onChange={(value) => narrow({ site: value })} />
        </>
      }
    >
      <PagedTable
        query={query}
        loading="Loading attendance..."
        empty={
          q || site || state || page > 1
            ? 'No guards match. Change the search, the day or the filters.'
            : 'No guards are assigned to shifts on this day.'
        }
        dense
        room={55}
        label="Attendance"
        columns={attendanceColumns}
        rowId={(row) => row.attendance_id ?? row.assignment_id}
        onOpen={(row) => onChange({ open: row.attendance_id ?? row.assignment_id })}
        page={page}
        sort={sort}
        onChange={onChange}
      />
      {open && (
        <AttendanceDialog key={open} id={open} onClose={() => onChange({ open: undefined })} />
      )}
      {isSheetOpen && <DaySheet filters={filters} onClose={() => setSheetOpen(false)} />}
    </ListScreen>
  );
}
