// Who is on a shift.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';

async function listAssignments(shiftId: string) {
  const { data } = await supabase()
    .from('assignments')
    .select(
      'id, user_id, status, role_at_shift, attendance_state, on_leave, counts_as_staffed, guard:profiles(full_name, email)',
    )
    .eq('shift_id', shiftId)
    .order('created_at')
    .order('id')
    .throwOnError();
  return data.map(({ guard, ...rest }) => ({
    ...rest,
    name: guard.full_name || guard.email || 'No name',
  }));
}

export type Assignment = Awaited<ReturnType<typeof listAssignments>>[number];

export function useAssignments(shiftId: string) {
  return useQuery({
    queryKey: [...shiftsKey, 'assignments', shiftId],
    queryFn: () => listAssignments(shiftId),
  });
}
