// Takes the receipt off an expense, and removes its file.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { expensesKey } from '../../../lib/data/keys.ts';
import type { Expense } from '../schema.ts';

async function removeReceipt({ id, receipt_path }: Expense): Promise<void> {
  await supabase()
    .from('expense_reports')
    .update({ receipt_path: null })
    .eq('id', id)
    .throwOnError();
  if (!receipt_path) return;
  const { error } = await supabase().storage.from('receipts').remove([receipt_path]);
  if (error) throw error;
}

export const useRemoveReceipt = () => useChange(expensesKey, removeReceipt);
