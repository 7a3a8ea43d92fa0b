// Puts back a shift that was deleted, with its guards.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';
import type { DeletedShift } from './delete-shift.ts';

/** @returns why guards are no longer on it, a sentence for each */
async function restoreShift({ assignments, ...shift }: DeletedShift): Promise<string[]> {
  const { data } = await supabase()
    .rpc('restore_shift', { p_shift: shift, p_assignments: assignments })
    .single()
    .throwOnError();
  return data.left_out;
}

export const useRestoreShift = () => useChange(shiftsKey, restoreShift);
