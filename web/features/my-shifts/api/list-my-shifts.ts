// The assignments of whoever is signed in, from today onward, soonest first; also the night shift that began yesterday.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { KEPT } from '#web/lib/cache/query-client.ts';
import { startOfToday } from '#web/lib/format/dates.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { myShiftsKey } from '../../../lib/data/keys.ts';

/** About a month ahead. */
const MOST = 40;

async function listMyShifts(userId: string) {
  const now = new Date().toISOString();
  const { data } = await supabase()
    .from('assignments')
    .select(
      'id, status, role_at_shift, shift:shifts!inner(start_time, end_time, site:sites!inner(name, client_name, address, timezone))',
    )
    .eq('user_id', userId)
    .or(`starts_at.gte.${startOfToday()},period.cs."[${now},${now}]"`)
    .order('starts_at')
    .order('id')
    .limit(MOST)
    .throwOnError();
  return data;
}

export type MyShift = Awaited<ReturnType<typeof listMyShifts>>[number];

export function myShiftsQuery(userId: string) {
  return queryOptions({
    queryKey: [...myShiftsKey, 'upcoming', userId],
    queryFn: () => listMyShifts(userId),
    meta: KEPT,
  });
}

/** @param userId who is signed in; planners may read other people's assignments, which are not theirs */
export function useMyShifts(userId: string) {
  useLiveTable('assignments', myShiftsKey);
  return useQuery(myShiftsQuery(userId));
}
