// Attendance: the day's states, search, filters, pages, the day sheet, and the dialog of the row that the address names.
import { useState } from 'react';
import { DayFilter } from '#web/components/list/day-filter.tsx';
import { FilterSelect } from '#web/components/list/filter-select.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { exportAttendance } from '../api/export-attendance.ts';
import { useAttendance } from '../api/list-attendance.ts';
import { useSiteOptions } from '../api/list-sites.ts';
import { type AttendanceSearch, shownDay } from '../schema.ts';
import { attendanceColumns } from './attendance-columns.tsx';
import { AttendanceDialog } from './attendance-dialog.tsx';
import { DaySheet } from './day-sheet.tsx';
import { StateCards } from './state-cards.tsx';

type AttendanceListProps = { search: AttendanceSearch; onChange: ChangeSearch<AttendanceSearch> };

export function AttendanceList({ search, onChange }: AttendanceListProps) {
  const { q = '', day, site, state, sort, page = 1, open } = search;
  const filters = { q, day, site, state, sort };
  const query = useAttendance({ ...filters, page });
  const sites = useSiteOptions();
  const [isSheetOpen, setSheetOpen] = useState(false);
  const shown = shownDay(search);
  const narrow: typeof onChange = (change) => onChange({ ...change, page: undefined });
  return (
    <>
      <ScreenHeading
        title="Attendance"
        subtitle={
          shown
            ? `Shifts that start on ${formatDay(shown)}, and what is still going on`
            : 'What is to be done, of every day'
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
          options={sites.data ?? []}
          value={site}
          onChange={(value) => narrow({ site: value })}
        />
      </ListToolbar>
      <PagedTable
        query={query}
        loading="Loading attendance..."
        empty={
          q || site || state || page > 1
            ? 'Nobody matches. Change the search, the day or the filters.'
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
