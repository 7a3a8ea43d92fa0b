// Removes a shift with its assignments and hands it back; the database refuses once somebody has clocked in.
import type { Database } from '#shared/database.types.ts';
import { existing, useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase.ts';
import { shiftsKey } from './shifts-key.ts';

export type StoredShift = Database['public']['Tables']['shifts']['Row'];

async function deleteShift(id: string): Promise<StoredShift> {
  const { data } = await supabase()
    .from('shifts')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return existing(data, 'shift');
}

export const useDeleteShift = () => useChange(shiftsKey, deleteShift);
