// One assignment with all that is known of its attendance: the record, the site's fence, what the phone said.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { attendanceKey } from '../../../lib/data/keys.ts';

const RECORD = `*, corrector:profiles!attendance_corrected_by_fkey(full_name, email),
  resolver:profiles!attendance_resolved_by_fkey(full_name, email),
  clock_events(kind, accuracy_m, device_at, received_at, reason)` as const;

/** Two questions, because one for either id would read every assignment. */
async function rowOf(id: string) {
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

/** @param id of an assignment, or of a record of attendance */
async function getAttendance(id: string) {
  const row = await rowOf(id);
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

export type AttendanceDetail = NonNullable<Awaited<ReturnType<typeof getAttendance>>>;

/** Its data is null for an assignment that does not exist, or not for this person. */
export function useAttendanceDetail(id: string) {
  return useQuery({ queryKey: [...attendanceKey, 'one', id], queryFn: () => getAttendance(id) });
}
