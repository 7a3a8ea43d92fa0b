// Removes a payroll record and hands it back, so that it can be restored.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { payrollKey } from '../../../lib/data/keys.ts';
import type { Payroll } from '../schema.ts';

/** @returns the row as it was at the end; null when somebody else had removed it before */
async function deletePayroll(id: string): Promise<Payroll | null> {
  const { data } = await supabase()
    .from('payroll')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useDeletePayroll = () => useChange(payrollKey, deletePayroll);
