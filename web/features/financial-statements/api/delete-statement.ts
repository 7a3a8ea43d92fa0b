// Removes a financial statement and hands it back, so that it can be restored.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { statementsKey } from '../../../lib/data/keys.ts';
import type { Statement } from '../schema.ts';

/** @returns the row as it was at the end; null when somebody else had removed it before */
async function deleteStatement(id: string): Promise<Statement | null> {
  const { data } = await supabase()
    .from('financial_statements')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useDeleteStatement = () => useChange(statementsKey, deleteStatement);
