// Puts back a loan account that was deleted: the same row with the same id.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Loan } from '../schema.ts';
import { loansKey } from './loans-key.ts';

async function restoreLoan(row: Loan): Promise<void> {
  await supabase().from('loans').insert(row).throwOnError();
}

export const useRestoreLoan = () => useChange(loansKey, restoreLoan);
