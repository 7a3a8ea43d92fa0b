// Puts back a shift that was deleted: the same row with the same id.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase.ts';
import type { StoredShift } from './delete-shift.ts';
import { shiftsKey } from './shifts-key.ts';

async function restoreShift(row: StoredShift): Promise<void> {
  await supabase().from('shifts').insert(row).throwOnError();
}

export const useRestoreShift = () => useChange(shiftsKey, restoreShift);
