// Removes a expense and hands it back, so that it can be restored.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { expensesKey } from '../../../lib/data/keys.ts';
import type { Expense } from '../schema.ts';

/** @returns the row as it was at the end; null when somebody else had removed it before */
async function deleteExpense(id: string): Promise<Expense | null> {
  const { data } = await supabase()
    .from('expense_reports')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useDeleteExpense = () => useChange(expensesKey, deleteExpense);
