// Accounts of the company at its banks: where money of clients arrives, and where a refund leaves.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { bankAccountsKey } from './keys.ts';

/** Each once: the list has a record for every statement. */
async function fetchCompanyAccounts(currency: string) {
  const { data } = await supabase()
    .from('bank_accounts')
    .select('id, bank_name, account_number')
    .eq('currency', currency)
    .eq('status', 'ACTIVE')
    .order('statement_period_end', { ascending: false, nullsFirst: false })
    .order('id')
    .limit(1000)
    .throwOnError();
  const names = new Map<string, string>();
  for (const { id, bank_name, account_number } of data) {
    const name = `${bank_name}, ${account_number}`;
    if (!names.has(name)) names.set(name, id);
  }
  return [...names]
    .map(([name, id]) => ({ id, name }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Active ones in the currency, by name. */
export const useCompanyAccounts = (currency: string) =>
  useQuery({
    queryKey: [...bankAccountsKey, 'of the company', currency],
    queryFn: () => fetchCompanyAccounts(currency),
  });

/** Ways to pay that move money at a bank. */
export const usesBankAccount = (method: string) => ['bank', 'cheque'].includes(method);
