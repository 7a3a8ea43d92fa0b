import { useState } from 'react';
import { flagLabel } from '#shared/attendance-flags.ts';
import { columnsOf } from '#web/components/list/columns.tsx';
import { DayFilter } from '#web/components/list/day-filter.tsx';
import { FilterSelect, ListToolbar } from '#web/components/list/filters.tsx';
import { ExportButton } from '#web/components/list/list-buttons.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useSiteOptions } from '#web/lib/data/lookups.ts';
import { formatDay, formatTime, formatTimeRange } from '#web/lib/format/dates.ts';
import { exportAttendance, useAttendance } from './api.ts';
import { AttendanceDialog } from './attendance-dialog.tsx';
import { presenceOf } from './attendance-states.ts';
import { DaySheet } from './day-sheet.tsx';
import { type AttendanceRow, type AttendanceSearch, shownDay } from './schema.ts';
import { StateCards } from './state-cards.tsx';

const minutes = (count: number): string => (count === 0 ? '' : `${count} min`);

function Time({ at, zone }: { at: string | null; zone: string }) {
  return at === null ? '-' : <time dateTime={at}>{formatTime(at, zone)}</time>;
}

const attendanceColumns = columnsOf<AttendanceRow>((column) => [
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
      const exceptions = [
        ...original.flags.map((flag) =>
          flag === 'outside_fence' && original.outside_m !== null
            ? `${flagLabel(flag)}, ${original.outside_m} m`
            : flagLabel(flag),
        ),
        ...(original.is_corrected ? ['Corrected'] : []),
      ].join('; ');
      if (!exceptions && !original.needs_review) return null;
      return (
        <span className="text-sm">
          {exceptions}
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

type AttendanceListProps = { search: AttendanceSearch; onChange: ChangeSearch<AttendanceSearch> };

export function AttendanceList({ search, onChange }: AttendanceListProps) {
  const { q = '', day, site, state, sort, page = 1, open } = search;
  const filters = { q, day, site, state, sort };
  const query = useAttendance({ ...filters, page });
  const { data: sites } = useSiteOptions();
  const [isSheetOpen, setSheetOpen] = useState(false);
  const shown = shownDay(search);
  const narrow: typeof onChange = (change) => onChange({ ...change, page: undefined });
  return (
    <>
      <ScreenHeading
        title="Attendance"
        subtitle={
          shown
            ? `Shifts starting on ${formatDay(shown)}, and shifts still in progress`
            : 'Open work from every day'
        }
      >
        <ExportButton exportRecords={() => exportAttendance(filters)} />
        <Button variant="secondary" onClick={() => setSheetOpen(true)}>
          Day Sheet
        </Button>
      </ScreenHeading>
      <StateCards search={search} onState={(next) => narrow({ state: next })} />
      <ListToolbar
        searchLabel="Search guards"
        search={q}
        onSearch={(text) => narrow({ q: text || undefined })}
      >
        <DayFilter label="Day" value={shown} onChange={(next) => narrow({ day: next })} />
        <FilterSelect
          label="Site"
          all="All sites"
          options={(sites ?? []).map(({ id, name }) => [id, name] as const)}
          value={site}
          onChange={(value) => narrow({ site: value })}
        />
      </ListToolbar>
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
    </>
  );
}
