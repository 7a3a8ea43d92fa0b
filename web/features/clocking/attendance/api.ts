import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { markNoShow, undoNoShow } from '#web/lib/data/attendance-changes.ts';
import { attendanceKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { changeOne } from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { formatCsvTime, fromLocalInput } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { clockWayLabel } from '#web/lib/vocabulary/kinds.ts';
import { exceptionsText, findPresence } from './attendance-states.ts';
import type { AttendanceRow, Correction } from './schema.ts';
import { type AttendanceFilters, type AttendanceSearch, shownDay } from './search.ts';

const SORTS = {
  guard: 'guard_name',
  site: 'site_name',
  shift: 'start_time',
  in: 'clock_in_at',
  out: 'clock_out_at',
  late: 'late_minutes',
  early: 'early_minutes',
};

function attendanceQuery(filters: AttendanceFilters) {
  const { q = '', site, state, sort } = filters;
  const day = shownDay(filters);
  let query = supabase().rpc('attendance_of', day ? { p_day: day } : {}, { count: 'exact' });
  if (site) query = query.eq('site_id', site);
  if (state) query = query.contains('states', [state]);
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  const { column, ascending } = parseOrder(sort, SORTS, { column: 'start_time', ascending: true });
  return query
    .order(column, { ascending, nullsFirst: false })
    .order('site_name')
    .order('guard_name')
    .order('assignment_id');
}

const TABLES = ['attendance', 'assignments', 'duty_notices'] as const;

type CountFilters = Pick<AttendanceSearch, 'day' | 'site'>;

/** @returns rows per state: of the day, by default today; worklist states without a day count every day */
async function countAttendance({ day, site }: CountFilters): Promise<Map<string, number>> {
  const { data } = await supabase()
    .rpc('attendance_counts', { ...(day && { p_day: day }), ...(site && { p_site_id: site }) })
    .throwOnError();
  return new Map(data.map(({ state, rows }) => [state, rows]));
}

export function useAttendanceCounts({ day, site }: CountFilters) {
  return useQuery({
    queryKey: [...attendanceKey, 'counts', { day, site }],
    queryFn: () => countAttendance({ day, site }),
    placeholderData: keepPreviousData,
  });
}

const localTime = (at: string | null, { timezone }: AttendanceRow): string =>
  at === null ? '' : formatCsvTime(at, timezone);

const COLUMNS: TableColumn<AttendanceRow>[] = [
  { heading: 'Guard', value: (row) => row.guard_name },
  { heading: 'Role', value: (row) => row.role_at_shift },
  { heading: 'Site', value: (row) => row.site_name },
  { heading: 'Client', value: (row) => row.client_name },
  { heading: 'Time Zone', value: (row) => row.timezone },
  { heading: 'Shift Start', kind: 'time', value: (row) => localTime(row.start_time, row) },
  { heading: 'Shift End', kind: 'time', value: (row) => localTime(row.end_time, row) },
  { heading: 'Clock In', kind: 'time', value: (row) => localTime(row.clock_in_at, row) },
  { heading: 'Clock Out', kind: 'time', value: (row) => localTime(row.clock_out_at, row) },
  { heading: 'Clocked In By', value: (row) => row.clock_in_way && clockWayLabel(row.clock_in_way) },
  {
    heading: 'Clocked Out By',
    value: (row) => row.clock_out_way && clockWayLabel(row.clock_out_way),
  },
  { heading: 'Late Minutes', value: (row) => row.late_minutes },
  { heading: 'Early Minutes', value: (row) => row.early_minutes },
  { heading: 'Metres Outside', value: (row) => row.outside_m },
  { heading: 'State', value: (row) => findPresence(row).label },
  { heading: 'Exceptions', value: exceptionsText },
  { heading: 'To Review', value: (row) => (row.needs_review ? 'Yes' : 'No') },
];

export type ListedRow = AttendanceRow & { id: string };

const withId = (row: AttendanceRow): ListedRow => ({
  ...row,
  id: row.attendance_id ?? row.assignment_id,
});

export const attendanceList = listQueries('attendance', {
  key: attendanceKey,
  tables: TABLES,
  filters: ['q', 'day', 'site', 'state', 'sort'],
  rows: (filters: AttendanceFilters) => ({
    range: async (first, last) => {
      const answer = await attendanceQuery(filters).range(first, last);
      return { ...answer, data: (answer.data ?? []).map(withId) };
    },
  }),
  file: (filters) => `attendance-${shownDay(filters) ?? filters.state}`,
  columns: COLUMNS,
});

const RECORD = `*, corrector:profiles!attendance_corrected_by_fkey(full_name, email),
  resolver:profiles!attendance_resolved_by_fkey(full_name, email),
  clock_events(id, kind, way, accuracy_m, device_at, received_at, reason,
    maker:profiles!clock_events_made_by_fkey(full_name, email))` as const;

/** Two queries in parallel: one query with OR over both ids would scan every assignment. */
async function fetchRow(id: string) {
  const overview = () => supabase().from('attendance_overview').select('*');
  const [byRecord, byAssignment] = await Promise.all([
    overview().eq('attendance_id', id).limit(1).throwOnError(),
    overview()
      .eq('assignment_id', id)
      .order('clock_in_at', { ascending: false, nullsFirst: true })
      .limit(1)
      .throwOnError(),
  ]);
  return byRecord.data[0] ?? byAssignment.data[0];
}

/** @param id of an assignment or of an attendance record */
async function fetchAttendance(id: string) {
  const row = await fetchRow(id);
  if (!row) return null;
  const [site, record] = await Promise.all([
    supabase()
      .from('sites')
      .select('latitude, longitude, geofence_radius_m')
      .eq('id', row.site_id)
      .maybeSingle()
      .throwOnError(),
    row.attendance_id
      ? supabase()
          .from('attendance')
          .select(RECORD)
          .eq('id', row.attendance_id)
          .maybeSingle()
          .throwOnError()
      : undefined,
  ]);
  return { row, site: site.data, record: record?.data ?? null };
}

export type AttendanceDetail = NonNullable<Awaited<ReturnType<typeof fetchAttendance>>>;

/** The data is null when the assignment does not exist, or row-level security hides it. */
export function useAttendanceDetail(id: string) {
  return useQuery({ queryKey: [...attendanceKey, 'one', id], queryFn: () => fetchAttendance(id) });
}

type CorrectionChange = {
  row: Pick<AttendanceRow, 'assignment_id' | 'attendance_id' | 'timezone'>;
  form: Correction;
};

/** Updates the record, whose original times the database keeps, or adds a missing one. */
async function correctAttendance({ row, form }: CorrectionChange): Promise<void> {
  const clock_in_at = fromLocalInput(form.clock_in, row.timezone);
  if (clock_in_at === undefined) throw new Error('Enter a valid date and time');
  const times = {
    clock_in_at,
    clock_out_at: fromLocalInput(form.clock_out, row.timezone) ?? null,
    correction_reason: form.reason,
  };
  if (row.attendance_id === null) {
    await supabase()
      .from('attendance')
      .insert({ ...times, assignment_id: row.assignment_id })
      .throwOnError();
    return;
  }
  await changeOne(
    supabase().from('attendance').update(times).eq('id', row.attendance_id),
    'record',
  );
}

export function useCorrectAttendance() {
  return useChange(attendanceKey, correctAttendance);
}

/** The filter on `needs_review` makes sure that only the first resolution is stored. */
async function resolveAttendance({ id, resolution }: { id: string; resolution: string }) {
  const { data } = await supabase()
    .from('attendance')
    .update({ needs_review: false, resolution })
    .eq('id', id)
    .eq('needs_review', true)
    .select('id')
    .maybeSingle()
    .throwOnError();
  if (!data)
    throw new Error('Someone has already resolved these exceptions, or you may not resolve them.');
}

export function useResolveAttendance() {
  return useChange(attendanceKey, resolveAttendance);
}

export const useMarkNoShow = () => useChange(attendanceKey, markNoShow);
export const useUndoNoShow = () => useChange(attendanceKey, undoNoShow);
