// Puts back a expense that was deleted: the same row with the same id.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Expense } from '../schema.ts';
import { expensesKey } from './expenses-key.ts';

async function restoreExpense(row: Expense): Promise<void> {
  await supabase().from('expense_reports').insert(row).throwOnError();
}

export const useRestoreExpense = () => useChange(expensesKey, restoreExpense);
