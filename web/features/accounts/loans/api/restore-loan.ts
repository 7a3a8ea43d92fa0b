// Puts back a loan account that was deleted: the same row with the same id.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { loansKey } from '../../../../lib/data/keys.ts';
import type { Loan } from '../schema.ts';

async function restoreLoan(row: Loan): Promise<void> {
  await supabase().from('loans').insert(row).throwOnError();
}

export const useRestoreLoan = () => useChange(loansKey, restoreLoan);
