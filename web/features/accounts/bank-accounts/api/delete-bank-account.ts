// Removes a bank account and hands it back, so that it can be restored.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { bankAccountsKey } from '../../../../lib/data/keys.ts';
import type { BankAccount } from '../schema.ts';

/** @returns the row as it was at the end; null when somebody else had removed it before */
async function deleteBankAccount(id: string): Promise<BankAccount | null> {
  const { data } = await supabase()
    .from('bank_accounts')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useDeleteBankAccount = () => useChange(bankAccountsKey, deleteBankAccount);
