// Marks that somebody did not come to a shift, or takes that back.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { attendanceKey } from '../../../lib/data/keys.ts';

type Marking = { assignmentId: string; status: 'no_show' | 'assigned' };

async function markNoShow({ assignmentId, status }: Marking): Promise<void> {
  const { data } = await supabase()
    .from('assignments')
    .update({ status })
    .eq('id', assignmentId)
    .eq('attendance_state', 'none')
    .select('id')
    .maybeSingle()
    .throwOnError();
  if (!data)
    throw new Error('Somebody has clocked in on this shift meanwhile, or you may not change it.');
}

export function useMarkNoShow() {
  return useChange(attendanceKey, markNoShow);
}
