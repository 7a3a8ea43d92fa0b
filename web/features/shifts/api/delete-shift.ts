// Deletes a shift and returns it with its assignments; the database refuses once somebody has clocked in.
import { existing, useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';

async function deleteShift(id: string) {
  const { data } = await supabase()
    .from('shifts')
    .delete()
    .eq('id', id)
    .select('*, assignments(id, user_id, status, role_at_shift, created_at)')
    .maybeSingle()
    .throwOnError();
  return existing(data, 'shift');
}

export type DeletedShift = Awaited<ReturnType<typeof deleteShift>>;

export const useDeleteShift = () => useChange(shiftsKey, deleteShift);
