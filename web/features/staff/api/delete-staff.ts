// Removes a member of staff; the database refuses while payroll records depend on them.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase.ts';
import { staffKey } from './staff-key.ts';

async function deleteStaff(id: string): Promise<void> {
  await supabase().from('staff').delete().eq('id', id).throwOnError();
}

export const useDeleteStaff = () => useChange(staffKey, deleteStaff);
