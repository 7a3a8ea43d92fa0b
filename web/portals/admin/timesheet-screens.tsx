import { getRouteApi } from '@tanstack/react-router';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import type { TimesheetSearch } from '#web/features/time/timesheets/search.ts';
import { type RenderAttendance, SheetPage } from '#web/features/time/timesheets/sheet-page.tsx';
import { TimesheetList } from '#web/features/time/timesheets/timesheet-list.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { lazily } from '#web/lib/render/lazily.tsx';

const AttendanceDialog = lazily(
  async () =>
    (await import('#web/features/clocking/attendance/attendance-dialog.tsx')).AttendanceDialog,
);

const attendance: RenderAttendance = (id, onClose) => (
  <LazyPart fallback={<Opening title="Attendance" />} onClose={onClose}>
    <AttendanceDialog key={id} id={id} onClose={onClose} />
  </LazyPart>
);

const sheetRoute = getRouteApi('/admin/timesheets/$id');

export function SheetScreen() {
  const { id } = sheetRoute.useParams();
  return <SheetPage key={id} id={id} attendance={attendance} />;
}

type TimesheetsScreenProps = {
  search: TimesheetSearch;
  onChange: ChangeSearch<TimesheetSearch>;
};

export function TimesheetsScreen(props: TimesheetsScreenProps) {
  return <TimesheetList {...props} attendance={attendance} />;
}
