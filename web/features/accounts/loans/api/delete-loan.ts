// Removes a loan account and hands it back, so that it can be restored.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Loan } from '../schema.ts';
import { loansKey } from './loans-key.ts';

/** @returns the row as it was at the end; null when somebody else had removed it before */
async function deleteLoan(id: string): Promise<Loan | null> {
  const { data } = await supabase()
    .from('loans')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useDeleteLoan = () => useChange(loansKey, deleteLoan);
