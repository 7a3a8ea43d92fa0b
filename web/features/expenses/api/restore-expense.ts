// Puts back a expense that was deleted: the same row with the same id.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { expensesKey } from '../../../lib/data/keys.ts';
import type { Expense } from '../schema.ts';

async function restoreExpense(row: Expense): Promise<void> {
  await supabase().from('expense_reports').insert(row).throwOnError();
}

export const useRestoreExpense = () => useChange(expensesKey, restoreExpense);
