// Codes for the day the second factor is lost: how many are left, and new ones.
import { queryOptions } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';

export function recoveryCodesQuery() {
  return queryOptions({
    queryKey: ['recovery-codes'],
    queryFn: async () => (await supabase().rpc('recovery_codes_left').throwOnError()).data,
  });
}

/** @returns ten new codes, which can't be shown again; older ones stop working */
export async function createRecoveryCodes(): Promise<string[]> {
  const { data } = await supabase().rpc('create_recovery_codes').throwOnError();
  return data;
}
