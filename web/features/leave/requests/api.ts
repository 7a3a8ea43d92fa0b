import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { leaveBalance } from '#shared/leave-entitlement.ts';
import { everyRow } from '#web/lib/data/every-row.ts';
import { insertOnce } from '#web/lib/data/insert-once.ts';
import { leaveKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { LEAVE_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { submittedSchema } from './guard/request-schema.ts';
import type { LeaveRow, PhonedRequest } from './schema.ts';
import type { LeaveFilters } from './search.ts';

const SORTS = {
  person: 'person_name',
  type: 'type',
  dates: 'start_date',
  days: 'days',
  status: 'status',
};

/** Pending requests first, the most urgent at the top; then the latest. */
function leaveQuery({ q = '', status, type, from, to, sort }: LeaveFilters) {
  let query = supabase().from('leave_overview').select('*', { count: 'exact' });
  if (status) query = query.eq('status', status);
  if (type) query = query.eq('type', type);
  if (from) query = query.gte('end_date', from);
  if (to) query = query.lte('start_date', to);
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  const { column, ascending } = parseOrder(sort, SORTS, { column: 'waits_for', ascending: true });
  return query
    .order(column, { ascending, nullsFirst: false })
    .order('start_date', { ascending: false })
    .order('id')
    .returns<LeaveRow[]>();
}

const EXPORT_COLUMNS: TableColumn<LeaveRow>[] = [
  { heading: 'Person', value: (row) => row.person_name },
  { heading: 'Type', value: (row) => LEAVE_TYPE_LABELS[row.type] },
  { heading: 'Start Date', kind: 'day', value: (row) => row.start_date },
  { heading: 'End Date', kind: 'day', value: (row) => row.end_date },
  { heading: 'Days', value: (row) => row.days },
  { heading: 'Reason', value: (row) => row.reason },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Note', value: (row) => row.decision_note },
  { heading: 'Decided By', value: (row) => row.decided_by_name },
  { heading: 'Entered By', value: (row) => row.entered_by_name },
];

export const leaveList = listQueries('leave requests', {
  key: leaveKey,
  tables: 'leave_requests',
  filters: ['q', 'status', 'type', 'from', 'to', 'sort'],
  rows: leaveQuery,
  columns: EXPORT_COLUMNS,
});

async function fetchLeaveRequest(id: string): Promise<LeaveRow | null> {
  const { data } = await supabase()
    .from('leave_overview')
    .select('*')
    .eq('id', id)
    .returns<LeaveRow[]>()
    .throwOnError();
  return data[0] ?? null;
}

/** The data is null if the request does not exist. */
export function useLeaveRequest(id: string) {
  return useQuery({ queryKey: [...leaveKey, 'one', id], queryFn: () => fetchLeaveRequest(id) });
}

/** The person's shifts during the leave, and colleagues from the same sites who are away then. */
async function fetchConflicts(id: string) {
  const [shifts, colleagues] = await Promise.all([
    supabase().rpc('leave_shifts', { p_id: id }).throwOnError(),
    supabase().rpc('leave_colleagues', { p_id: id }).throwOnError(),
  ]);
  return { shifts: shifts.data, colleagues: colleagues.data };
}

export type Conflicts = Awaited<ReturnType<typeof fetchConflicts>>;

export async function fetchSeatsLost(ids: string[]) {
  const { data } = await supabase()
    .rpc('seats_lost_to_leave', { p_ids: ids })
    .single()
    .throwOnError();
  return data;
}

/** Seats of shifts to come that become empty if all of these requests are approved. */
export const useSeatsLost = (ids: string[]) =>
  useQuery({ queryKey: [...leaveKey, 'seats', ids], queryFn: () => fetchSeatsLost(ids) });

export function useConflicts(id: string) {
  return useQuery({
    queryKey: [...leaveKey, 'conflicts', id],
    queryFn: () => fetchConflicts(id),
  });
}

async function fetchBalance({ id, user_id, type, start_date }: LeaveRow) {
  const [hired, others] = await Promise.all([
    supabase().rpc('hired_on', { p_user_id: user_id }).throwOnError(),
    supabase()
      .from('leave_requests')
      .select('type, status, start_date, end_date')
      .eq('user_id', user_id)
      .in('status', ['approved', 'pending'])
      .neq('id', id)
      .throwOnError(),
  ]);
  return leaveBalance(type, start_date, hired.data, others.data) ?? null;
}

/** For the year in which the request starts, not counting the request itself; null for types without an entitlement. */
export function useBalance(request: LeaveRow) {
  return useQuery({
    queryKey: [...leaveKey, 'balance', request.id],
    queryFn: () => fetchBalance(request),
  });
}

type Entry = { id: string; form: PhonedRequest };

async function enterLeave({ id, form }: Entry): Promise<void> {
  const { person_id, ...request } = form;
  const row = { ...submittedSchema.parse(request), id, user_id: person_id };
  const requests = () => supabase().from('leave_requests');
  await insertOnce(row, {
    insert: () => requests().insert(row).throwOnError(),
    fetchStored: () => requests().select().eq('id', id).maybeSingle().throwOnError(),
  });
}

export const useEnterLeave = () => useChange(leaveKey, enterLeave);

type Decision = { id: string; status: 'approved' | 'rejected' | 'cancelled'; note: string };

async function decideLeave({ id, status, note }: Decision): Promise<void> {
  await supabase()
    .rpc('decide_leave', { p_id: id, p_status: status, ...(note && { p_note: note }) })
    .throwOnError();
}

export function useDecideLeave() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: decideLeave,
    // Also after an error, to show another user's decision.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: leaveKey }),
  });
}

const fetchAway = (first: string, last: string) =>
  everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('leave_overview')
      .select('id, person_name, start_date, end_date')
      .eq('status', 'approved')
      .lte('start_date', last)
      .gte('end_date', first)
      .order('person_name')
      .order('id')
      .range(from, to)
      .throwOnError();
    return data;
  });

/**
 * Approved leave in a month.
 * @param first yyyy-MM-dd, like `last`
 */
export function useAway(first: string, last: string) {
  return useQuery({
    queryKey: [...leaveKey, 'away', first],
    queryFn: () => fetchAway(first, last),
    placeholderData: keepPreviousData,
  });
}
