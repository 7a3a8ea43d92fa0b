// Puts back a payroll record that was deleted: the same row with the same id.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { payrollKey } from '../../../lib/data/keys.ts';
import type { Payroll } from '../schema.ts';

async function restorePayroll(row: Payroll): Promise<void> {
  await supabase().from('payroll').insert(row).throwOnError();
}

export const useRestorePayroll = () => useChange(payrollKey, restorePayroll);
