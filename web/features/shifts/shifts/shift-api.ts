import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { refetchEvery } from '#web/lib/cache/network-retry.ts';
import { shiftsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { undoableChange } from '#web/lib/data/many-rows.ts';
import { existing } from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { formatCsvTime } from '#web/lib/format/dates.ts';
import { dayAfter, findMonday, startOfDay } from '#web/lib/format/days.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import type { Shift, ShiftForm } from './shift-schema.ts';
import { dayIn, type ShiftSearch } from './shift-search.ts';
import { toInstants } from './shift-times.ts';
import { judgeStaffing } from './staffing.ts';

const LIVE_TABLES = ['shifts', 'assignments'] as const;

export const useLiveShifts = () => useLiveTable(LIVE_TABLES, shiftsKey);

const SORTS = { time: 'start_time', site: 'site_name', staffing: 'assigned' };

export type ShiftFilters = Pick<
  ShiftSearch,
  'q' | 'site' | 'staffing' | 'guard' | 'day' | 'week' | 'rows' | 'sort'
>;

/** @returns the range of start times, ISO 8601 in UTC, `to` excluded; undefined for upcoming shifts, the ones not over */
export function spanOf(filters: ShiftFilters) {
  const day = dayIn(filters);
  if (filters.week) {
    const monday = findMonday(filters.week);
    return { from: startOfDay(monday), to: startOfDay(dayAfter(monday, 7)) };
  }
  return day ? { from: startOfDay(day), to: startOfDay(dayAfter(day, 1)) } : undefined;
}

/** shift_totals counts these from indexes, and the screen requests it anyway. */
const isCountedByTotals = ({ q, guard, staffing }: ShiftFilters) =>
  staffing !== undefined || !(q || guard);

function shiftsQuery(filters: ShiftFilters) {
  const { q = '', site, staffing, guard, sort } = filters;
  const span = spanOf(filters);
  const columns: string = guard ? '*, assignments!inner()' : '*';
  // The week of sites searches sites only; the list also searches notes and guards.
  const searchesSites = filters.week !== undefined && filters.rows !== 'guards';
  // 'now' is the database's time, like in shift_totals: list and totals agree.
  const words = { ...(!searchesSites && { p_search: q }), ...(!span && { p_ends_after: 'now' }) };
  const counting = isCountedByTotals(filters) ? {} : { count: 'exact' as const };
  let query = supabase()
    .rpc('search_shifts', words, { ...counting, get: true })
    .select(columns);
  if (span) query = query.gte('start_time', span.from).lt('start_time', span.to);
  if (site) query = query.eq('site_id', site);
  if (guard) query = query.eq('assignments.user_id', guard).neq('assignments.status', 'cancelled');
  if (staffing === 'open') query = query.neq('staffing', 'full');
  else if (staffing) query = query.eq('staffing', staffing);
  if (searchesSites) {
    const patterns = searchPatterns(q ?? '');
    if (patterns.length > 0) query = query.likeAllOf('search_site', patterns);
  }
  const { column, ascending } = parseOrder(sort, SORTS, { column: 'start_time', ascending: true });
  return query
    .order(column, { ascending })
    .order('start_time')
    .order('site_name')
    .order('id')
    .returns<Shift[]>();
}

/** Upcoming shifts drop out as time passes, without any change in the database. @returns milliseconds */
const refetchIntervalOf = (filters: ShiftFilters) => (spanOf(filters) ? false : 60_000);

async function fetchShiftTotals(filters: ShiftFilters) {
  const { q, site, staffing, guard } = filters;
  const span = spanOf(filters);
  const { data } = await supabase()
    .rpc('shift_totals', {
      // Without a range it counts the shifts that are not over.
      ...(span && { p_from: span.from, p_to: span.to }),
      ...(site && { p_site_id: site }),
      ...(staffing && { p_staffing: staffing }),
      ...(q && { p_search: q }),
      ...(guard && { p_guard_id: guard }),
    })
    .single()
    .throwOnError();
  return data;
}

function totalsQuery({ q, site, staffing, guard, day, week }: ShiftFilters) {
  const filters = { q, site, staffing, guard, day, week };
  return queryOptions({
    queryKey: [...shiftsKey, 'totals', filters],
    queryFn: () => fetchShiftTotals(filters),
    refetchInterval: refetchEvery(refetchIntervalOf(filters)),
    placeholderData: keepPreviousData,
  });
}

export const useShiftTotals = (filters: ShiftFilters) => useQuery(totalsQuery(filters));

async function fetchShift(id: string) {
  const { data } = await supabase()
    .from('shift_board')
    .select()
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

/** The data is null when the shift does not exist, or row-level security hides it. */
export function useShift(id: string) {
  return useQuery({ queryKey: [...shiftsKey, 'one', id], queryFn: () => fetchShift(id) });
}

type SaveShift = {
  /** Undefined for a new shift. */
  id?: string;
  form: ShiftForm;
  /** IANA zone of the site, in which the form's times are entered. */
  timezone: string;
};

/** @returns the id of the shift */
async function saveShift({ id, form, timezone }: SaveShift): Promise<string> {
  const row = {
    site_id: form.site_id,
    ...toInstants(form, timezone),
    required_headcount: Number(form.required_headcount),
    notes: orNull(form.notes),
  };
  const table = supabase().from('shifts');
  const { data } =
    id === undefined
      ? await table.insert(row).select('id').maybeSingle().throwOnError()
      : await table.update(row).eq('id', id).select('id').maybeSingle().throwOnError();
  return existing(data, 'shift').id;
}

export const useSaveShift = () => useChange(shiftsKey, saveShift);

/** Returns the shift with its assignments, for `restoreShift`. The database refuses once a guard has clocked in. */
async function deleteShift(id: string) {
  const { data } = await supabase()
    .from('shifts')
    .delete()
    .eq('id', id)
    .select(
      `*, assignments(id, user_id, status, role_at_shift, override_reason, confirmed_at, declined_at,
        declined_reason, joins_at, no_show_reason, no_show_at, no_show_by, created_at)`,
    )
    .maybeSingle()
    .throwOnError();
  return existing(data, 'shift');
}

type DeletedShift = Awaited<ReturnType<typeof deleteShift>>;

export const useDeleteShift = () => useChange(shiftsKey, deleteShift);

/** @returns a sentence for each guard who could not be assigned again, and why */
async function restoreShift({ assignments, ...shift }: DeletedShift): Promise<string[]> {
  const { data } = await supabase()
    .rpc('restore_shift', { p_shift: shift, p_assignments: assignments })
    .single()
    .throwOnError();
  return data.left_out;
}

export const useRestoreShift = () => useChange(shiftsKey, restoreShift);

const COLUMNS: TableColumn<Shift>[] = [
  { heading: 'Start', kind: 'time', value: (row) => formatCsvTime(row.start_time, row.timezone) },
  { heading: 'End', kind: 'time', value: (row) => formatCsvTime(row.end_time, row.timezone) },
  { heading: 'Time Zone', value: (row) => row.timezone },
  { heading: 'Site', value: (row) => row.site_name },
  { heading: 'Client', value: (row) => row.client_name },
  { heading: 'Assigned', value: (row) => row.assigned },
  { heading: 'Required', value: (row) => row.required_headcount },
  { heading: 'Status', value: (row) => STATUS_LABELS[judgeStaffing(row)] },
  { heading: 'Notes', value: (row) => row.notes },
];

export const shiftList = listQueries('shifts', {
  key: shiftsKey,
  // The planner refreshes all its views.
  tables: [],
  filters: ['q', 'site', 'staffing', 'guard', 'day', 'week', 'sort'],
  rows: shiftsQuery,
  total: (filters, client) =>
    isCountedByTotals(filters)
      ? client.fetchQuery(totalsQuery(filters)).then(({ shifts }) => shifts)
      : undefined,
  columns: COLUMNS,
  refetchInterval: refetchIntervalOf,
});

type Site = { id: string; timezone: string };

/** @returns the IANA zone of the site @throws while the sites are not loaded */
export function findZone(sites: Site[] | undefined, siteId: string): string {
  const site = sites?.find(({ id }) => id === siteId);
  if (!site) throw new Error('The sites could not be loaded. Please try again.');
  return site.timezone;
}

type Move = {
  days: number;
  /** Time of day at the site, HH:MM; both or none. */
  start?: string | undefined;
  end?: string | undefined;
  siteId?: string | undefined;
};

export async function moveShifts(ids: string[], { days, start, end, siteId }: Move) {
  const { data } = await supabase()
    .rpc('move_shifts', {
      p_ids: ids,
      p_days: days,
      ...(start && end && { p_start: start, p_end: end }),
      ...(siteId && { p_site_id: siteId }),
    })
    .throwOnError();
  return undoableChange('shifts', data);
}
