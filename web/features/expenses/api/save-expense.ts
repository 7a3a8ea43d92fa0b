// Adds a expense, or changes one.
import { existing, useChange } from '#web/lib/data/records.ts';
import { requireUserId } from '#web/lib/session/require-user.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { expensesKey } from '../../../lib/data/keys.ts';
import { type ExpenseForm, rowOf } from '../schema.ts';

type Save = {
  /** Of the one to change; a new one has none. */
  id: string | undefined;
  form: ExpenseForm;
};

async function saveExpense({ id, form }: Save): Promise<void> {
  const created_by = await requireUserId();
  const table = supabase().from('expense_reports');
  if (id === undefined) {
    await table.insert({ ...rowOf(form), created_by }).throwOnError();
    return;
  }
  const { data } = await table
    .update(rowOf(form))
    .eq('id', id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'expense');
}

export const useSaveExpense = () => useChange(expensesKey, saveExpense);
