import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { readServerNow } from '#web/lib/clock/read-server-now.ts';
import { guardShiftsKey } from '#web/lib/data/keys.ts';
import { startOfToday } from '#web/lib/format/dates.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** Covers about a month ahead. */
const MAX_SHIFTS = 40;

/** The guard's assignments from today on, soonest first, and a night shift that began yesterday and is still running. */
async function fetchGuardShifts(userId: string) {
  const now = new Date(await readServerNow()).toISOString();
  const { data } = await supabase()
    .from('assignments')
    .select(
      'id, status, role_at_shift, shift:shifts!inner(start_time, end_time, site:sites!inner(name, client_name, address, timezone, latitude, longitude))',
    )
    .eq('user_id', userId)
    .or(`starts_at.gte.${startOfToday()},period.cs."[${now},${now}]"`)
    .order('starts_at')
    .order('id')
    .limit(MAX_SHIFTS)
    .throwOnError();
  return data;
}

export type GuardShift = Awaited<ReturnType<typeof fetchGuardShifts>>[number];

/** @param userId filters explicitly, because planners may read other people's assignments */
export const useGuardShifts = (userId: string) =>
  useLiveQuery(ownRows(userId, 'assignments'), guardShiftsKey, {
    queryKey: [...guardShiftsKey, userId],
    queryFn: () => fetchGuardShifts(userId),
    meta: PERSISTED,
  });
