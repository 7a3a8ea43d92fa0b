// Removes a expense and hands it back, so that it can be restored.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Expense } from '../schema.ts';
import { expensesKey } from './expenses-key.ts';

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
