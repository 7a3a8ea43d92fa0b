// The bank accounts, newest first, refreshed whenever anyone changes one.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from '#web/lib/data/pages.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { bankAccountsKey } from '../../../../lib/data/keys.ts';
import type { BankAccount } from '../schema.ts';

async function listBankAccounts(limit: number): Promise<Page<BankAccount>> {
  const { data, count } = await supabase()
    .from('bank_accounts')
    .select('*', { count: 'exact' })
    .order('created_at', { ascending: false })
    .order('id')
    .limit(limit)
    .throwOnError();
  return { rows: data, total: count ?? data.length };
}

/** @param limit how many to load at most */
export function useBankAccounts(limit: number) {
  useLiveTable('bank_accounts', bankAccountsKey);
  return useQuery({
    queryKey: [...bankAccountsKey, { limit }],
    queryFn: () => listBankAccounts(limit),
    placeholderData: keepPreviousData,
  });
}
