// All bank accounts, by bank: for the overview and for export.
import { everyRow } from '#web/lib/files/csv.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { BankAccount } from '../schema.ts';

export function everyBankAccount(): Promise<BankAccount[]> {
  return everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('bank_accounts')
      .select()
      .order('bank_name')
      .order('account_title')
      .order('id')
      .range(from, to)
      .throwOnError();
    return data;
  });
}
