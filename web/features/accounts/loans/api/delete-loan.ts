// Removes a loan account and hands it back, so that it can be restored.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { loansKey } from '../../../../lib/data/keys.ts';
import type { Loan } from '../schema.ts';

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
