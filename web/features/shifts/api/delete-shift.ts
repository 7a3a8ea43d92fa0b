// Removes a shift with its assignments; the database refuses once somebody has clocked in.
import { existing, useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase.ts';
import { shiftsKey } from './shifts-key.ts';

async function deleteShift(id: string): Promise<void> {
  const { data } = await supabase()
    .from('shifts')
    .delete()
    .eq('id', id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'shift');
}

export const useDeleteShift = () => useChange(shiftsKey, deleteShift);
