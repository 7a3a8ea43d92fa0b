import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { readServerNow } from '#web/lib/clock/read-server-now.ts';
import { guardAttendanceKey } from '#web/lib/data/keys.ts';
import { startOfMonth } from '#web/lib/format/dates.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** Including the current month. */
const MONTHS_SHOWN = 6;

async function fetchGuardAttendance(userId: string) {
  const { data } = await supabase()
    .from('assignments')
    .select(
      'id, status, shift:shifts!inner(start_time, end_time, site:sites!inner(name, timezone)), attendance(id, clock_in_at, clock_out_at, late_minutes, early_minutes, needs_review, flags, corrected_at)',
    )
    .eq('user_id', userId)
    .neq('status', 'cancelled')
    .gte('starts_at', startOfMonth(1 - MONTHS_SHOWN))
    .lte('starts_at', new Date(await readServerNow()).toISOString())
    .order('starts_at', { ascending: false })
    .order('id')
    .throwOnError();
  return data;
}

export type WorkedShift = Awaited<ReturnType<typeof fetchGuardAttendance>>[number];

export const useGuardAttendance = (userId: string) =>
  useLiveQuery(ownRows(userId, 'attendance'), guardAttendanceKey, {
    queryKey: [...guardAttendanceKey, userId],
    queryFn: () => fetchGuardAttendance(userId),
    meta: PERSISTED,
  });
