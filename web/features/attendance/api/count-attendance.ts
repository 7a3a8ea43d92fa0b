// How many there are in each state: of the day in the address, else of today, and the work of every day.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { attendanceKey } from '../../../lib/data/keys.ts';
import type { AttendanceSearch } from '../schema.ts';

type Of = Pick<AttendanceSearch, 'day' | 'site'>;

async function countAttendance({ day, site }: Of): Promise<Map<string, number>> {
  const { data } = await supabase()
    .rpc('attendance_counts', { ...(day && { p_day: day }), ...(site && { p_site_id: site }) })
    .throwOnError();
  return new Map(data.map(({ state, rows }) => [state, rows]));
}

export function useAttendanceCounts({ day, site }: Of) {
  return useQuery({
    queryKey: [...attendanceKey, 'counts', { day, site }],
    queryFn: () => countAttendance({ day, site }),
    placeholderData: keepPreviousData,
  });
}
