// One request with what a decision should know: shifts in that time, colleagues who are away, and the balance.
import { useQuery } from '@tanstack/react-query';
import { leaveBalance } from '#shared/leave-entitlement.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { leaveKey } from '../../../lib/data/keys.ts';
import type { LeaveRow } from '../schema.ts';

async function getLeave(id: string): Promise<LeaveRow | null> {
  const { data } = await supabase()
    .from('leave_overview')
    .select('*')
    .eq('id', id)
    .returns<LeaveRow[]>()
    .throwOnError();
  return data[0] ?? null;
}

/** Its data is null for a request that does not exist. */
export function useLeaveRequest(id: string) {
  return useQuery({ queryKey: [...leaveKey, 'one', id], queryFn: () => getLeave(id) });
}

async function getCollisions(id: string) {
  const [shifts, colleagues] = await Promise.all([
    supabase().rpc('leave_shifts', { p_id: id }).throwOnError(),
    supabase().rpc('leave_colleagues', { p_id: id }).throwOnError(),
  ]);
  return { shifts: shifts.data, colleagues: colleagues.data };
}

export type Collisions = Awaited<ReturnType<typeof getCollisions>>;

/** @returns the shifts that are not over, for which somebody else can still be assigned */
export const upcomingOf = (shifts: Collisions['shifts']) =>
  shifts.filter(({ end_time }) => Date.parse(end_time) > Date.now());

export function useCollisions(id: string) {
  return useQuery({
    queryKey: [...leaveKey, 'collisions', id],
    queryFn: () => getCollisions(id),
  });
}

async function getBalance({ id, user_id, type, start_date }: LeaveRow) {
  const [hired, taken] = await Promise.all([
    supabase().rpc('hired_on', { p_user_id: user_id }).throwOnError(),
    supabase()
      .from('leave_requests')
      .select('start_date, end_date')
      .eq('user_id', user_id)
      .eq('type', type)
      .eq('status', 'approved')
      .neq('id', id)
      .throwOnError(),
  ]);
  return leaveBalance(type, start_date, hired.data, taken.data) ?? null;
}

/** Of the year in which the request begins, without the request itself; null for a type without an entitlement. */
export function useBalance(request: LeaveRow) {
  return useQuery({
    queryKey: [...leaveKey, 'balance', request.id],
    queryFn: () => getBalance(request),
  });
}
