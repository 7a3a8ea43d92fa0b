// Says how the exceptions of a record were resolved. Once: whoever comes second is told.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { attendanceKey } from '../../../lib/data/keys.ts';

async function resolveAttendance({ id, resolution }: { id: string; resolution: string }) {
  const { data } = await supabase()
    .from('attendance')
    .update({ needs_review: false, resolution })
    .eq('id', id)
    .eq('needs_review', true)
    .select('id')
    .maybeSingle()
    .throwOnError();
  if (!data) throw new Error('Somebody else has resolved this meanwhile, or you may not.');
}

export function useResolveAttendance() {
  return useChange(attendanceKey, resolveAttendance);
}
