// Adds a bank account, or changes one.
import { existing, useChange } from '#web/lib/data/records.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { bankAccountsKey } from '../../../../lib/data/keys.ts';
import { type BankAccountForm, rowOf } from '../schema.ts';

type Save = {
  /** Of the one to change; a new one has none. */
  id: string | undefined;
  form: BankAccountForm;
};

async function saveBankAccount({ id, form }: Save): Promise<void> {
  const created_by = await requireUserId();
  const table = supabase().from('bank_accounts');
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
  existing(data, 'bank account');
}

export const useSaveBankAccount = () => useChange(bankAccountsKey, saveBankAccount);
