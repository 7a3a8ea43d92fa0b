// Puts back a member of staff that was deleted: the same row with the same id.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Staff } from '../schema.ts';
import { staffKey } from './staff-key.ts';

async function restoreStaff(row: Staff): Promise<void> {
  await supabase().from('staff').insert(row).throwOnError();
}

export const useRestoreStaff = () => useChange(staffKey, restoreStaff);
