// Puts back a bank account that was deleted: the same row with the same id.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { bankAccountsKey } from '../../../../lib/data/keys.ts';
import type { BankAccount } from '../schema.ts';

async function restoreBankAccount(row: BankAccount): Promise<void> {
  await supabase().from('bank_accounts').insert(row).throwOnError();
}

export const useRestoreBankAccount = () => useChange(bankAccountsKey, restoreBankAccount);
