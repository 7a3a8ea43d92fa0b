// Adds a loan account, or changes one.
import { existing, useChange } from '#web/lib/data/records.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { loansKey } from '../../../../lib/data/keys.ts';
import { type LoanForm, rowOf } from '../schema.ts';

type Save = {
  /** Of the one to change; a new one has none. */
  id: string | undefined;
  form: LoanForm;
};

async function saveLoan({ id, form }: Save): Promise<void> {
  const created_by = await requireUserId();
  const table = supabase().from('loans');
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
  existing(data, 'loan account');
}

export const useSaveLoan = () => useChange(loansKey, saveLoan);
