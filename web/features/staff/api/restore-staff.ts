// Puts back a member of staff that was deleted: the same row with the same id.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { staffKey } from '../../../lib/data/keys.ts';
import type { Staff } from '../schema.ts';

async function restoreStaff(row: Staff): Promise<void> {
  await supabase().from('staff').insert(row).throwOnError();
}

export const useRestoreStaff = () => useChange(staffKey, restoreStaff);
