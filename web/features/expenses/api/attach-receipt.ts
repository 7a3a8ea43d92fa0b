// Stores the receipt of an expense; it takes the place of an earlier one.

import { existing, useChange } from '#web/lib/data/records.ts';
import { storableName } from '#web/lib/files/files.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { expensesKey } from '../../../lib/data/keys.ts';
import type { Expense } from '../schema.ts';

type Attach = { expense: Expense; file: File };

async function attachReceipt({ expense, file }: Attach): Promise<void> {
  const receipts = supabase().storage.from('receipts');
  const path = `${expense.id}/${storableName(file.name)}`;
  const { error } = await receipts.upload(path, file, { upsert: true });
  if (error) throw error;
  const { data } = await supabase()
    .from('expense_reports')
    .update({ receipt_path: path })
    .eq('id', expense.id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'expense');
  if (!expense.receipt_path || expense.receipt_path === path) return;
  const removed = await receipts.remove([expense.receipt_path]);
  if (removed.error) throw removed.error;
}

export const useAttachReceipt = () => useChange(expensesKey, attachReceipt);
