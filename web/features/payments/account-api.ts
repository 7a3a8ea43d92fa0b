import { useQuery } from '@tanstack/react-query';
import { payAccountsKey } from '#web/lib/data/keys.ts';
import { existing } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type AccountForm, type PayAccount, rowOf } from './account-schema.ts';

const NAME = 'pay account';

type Named = { full_name: string | null; email: string | null } | null;
type NamedAccount = PayAccount & { changer: Named; verifier: Named };

async function fetchAccount(staffId: string) {
  const { data } = await supabase()
    .from('pay_accounts')
    .select(
      '*, changer:profiles!changed_by(full_name, email), verifier:profiles!verified_by(full_name, email)',
    )
    .eq('staff_id', staffId)
    .maybeSingle<NamedAccount>()
    .throwOnError();
  return data;
}

/** The data is null if the person has no account. */
export function usePayAccount(staffId: string) {
  useLiveTable('pay_accounts', payAccountsKey);
  return useQuery({
    queryKey: [...payAccountsKey, staffId],
    queryFn: () => fetchAccount(staffId),
  });
}

type Save = { staffId: string; id: string | undefined; form: AccountForm };

async function saveAccount({ staffId, id, form }: Save): Promise<void> {
  const created_by = await requireUserId();
  const accounts = () => supabase().from('pay_accounts');
  const change =
    id === undefined
      ? accounts().insert({ ...rowOf(form), staff_id: staffId, created_by })
      : accounts().update(rowOf(form)).eq('id', id);
  const { data } = await change.select('id').maybeSingle().throwOnError();
  existing(data, NAME);
}

export const useSavePayAccount = () => useChange(payAccountsKey, saveAccount);

async function removeAccount(id: string): Promise<void> {
  const { data } = await supabase()
    .from('pay_accounts')
    .delete()
    .eq('id', id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, NAME);
}

export const useRemovePayAccount = () => useChange(payAccountsKey, removeAccount);

/** Confirms the number that the user has seen. */
async function verifyAccount({ id, account_number }: Pick<PayAccount, 'id' | 'account_number'>) {
  await supabase()
    .rpc('verify_pay_account', {
      p_id: id,
      ...(account_number !== null && { p_number: account_number }),
    })
    .throwOnError();
}

export const useVerifyPayAccount = () => useChange(payAccountsKey, verifyAccount);
