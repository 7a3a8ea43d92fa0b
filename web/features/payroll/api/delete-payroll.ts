// Removes a payroll record.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase.ts';
import { payrollKey } from './payroll-key.ts';

async function deletePayroll(id: string): Promise<void> {
  await supabase().from('payroll').delete().eq('id', id).throwOnError();
}

export const useDeletePayroll = () => useChange(payrollKey, deletePayroll);
