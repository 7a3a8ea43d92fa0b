import type { Row } from '#shared/database.types.ts';
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
      'id, status, attendance_state, role_at_shift, duty_notices(id, kind, minutes, reason), shift:shifts!inner(start_time, end_time, site:sites!inner(name, client_name, address, timezone, latitude, longitude))',
    )
    .eq('user_id', userId)
    .eq('duty_notices.is_open', true)
    .or(`starts_at.gte.${startOfToday()},period.cs."[${now},${now}]"`)
    .order('starts_at')
    .order('id')
    .limit(MAX_SHIFTS)
    .throwOnError();
  return data.map(({ duty_notices, attendance_state, ...shift }): GuardShift => {
    const [notice] = duty_notices;
    return { ...shift, attendance_state, ...(notice && { notice }) };
  });
}

type Site = {
  name: string;
  client_name: string;
  address: string;
  timezone: string;
  latitude: number | null;
  longitude: number | null;
};

/** What the guard has said about a shift and counts, or will when it is sent. */
export type DutyNotice = Pick<Row<'duty_notices'>, 'id' | 'kind' | 'minutes' | 'reason'>;

export type GuardShift = {
  id: string;
  status: Row<'assignments'>['status'];
  role_at_shift: string | null;
  shift: { start_time: string; end_time: string; site: Site };
  // Absent in shifts that an older version cached.
  attendance_state?: string;
  notice?: DutyNotice;
};

/** @param userId filters explicitly, because planners may read other people's assignments */
export const useGuardShifts = (userId: string) =>
  useLiveQuery(ownRows(userId, 'assignments', 'duty_notices'), guardShiftsKey, {
    queryKey: [...guardShiftsKey, userId],
    queryFn: () => fetchGuardShifts(userId),
    meta: PERSISTED,
  });
