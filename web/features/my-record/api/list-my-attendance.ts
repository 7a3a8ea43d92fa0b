// The past shifts of whoever is signed in with their clock times, newest first, as far back as the charts reach.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { KEPT } from '#web/lib/cache/query-client.ts';
import { startOfMonth } from '#web/lib/format/dates.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { myRecordKey } from '../../../lib/data/keys.ts';

/** This month and those before it. */
const MONTHS_SHOWN = 6;

async function listMyAttendance(userId: string) {
  const { data } = await supabase()
    .from('assignments')
    .select(
      'id, status, shift:shifts!inner(start_time, end_time, site:sites!inner(name, timezone)), attendance(id, clock_in_at, clock_out_at, late_minutes, early_minutes, needs_review, flags, corrected_at)',
    )
    .eq('user_id', userId)
    .neq('status', 'cancelled')
    .gte('starts_at', startOfMonth(1 - MONTHS_SHOWN))
    .lte('starts_at', new Date().toISOString())
    .order('starts_at', { ascending: false })
    .order('id')
    .throwOnError();
  return data;
}

export type WorkedShift = Awaited<ReturnType<typeof listMyAttendance>>[number];

export function myAttendanceQuery(userId: string) {
  return queryOptions({
    queryKey: [...myRecordKey, 'attendance', userId],
    queryFn: () => listMyAttendance(userId),
    meta: KEPT,
  });
}

export function useMyAttendance(userId: string) {
  useLiveTable('attendance', myRecordKey);
  return useQuery(myAttendanceQuery(userId));
}
