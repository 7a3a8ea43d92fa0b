// Removes a member of staff and hands the record back; the database refuses while payroll records depend on it.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { staffKey } from '../../../lib/data/keys.ts';
import type { Staff } from '../schema.ts';

/** @returns the row as it was at the end; null when somebody else had removed it before */
async function deleteStaff(id: string): Promise<Staff | null> {
  const { data } = await supabase()
    .from('staff')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useDeleteStaff = () => useChange(staffKey, deleteStaff);
