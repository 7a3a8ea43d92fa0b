// Uses a recovery code up in place of the second factor. The database then removes the factors.
import { supabase } from '#web/lib/supabase/client.ts';

const REFUSALS = new Map([
  ['wrong', 'This code is wrong or was used before.'],
  ['blocked', 'Too many wrong codes. Please try again in 15 minutes.'],
]);

/** @throws with the reason when the code is not accepted */
export async function spendRecoveryCode(code: string): Promise<void> {
  const { data } = await supabase().rpc('use_recovery_code', { code: code.trim() }).throwOnError();
  if (data !== 'accepted') throw new Error(REFUSALS.get(data) ?? 'This code was not accepted.');
  // The session learns that the account has no factors any more.
  const { error } = await supabase().auth.refreshSession();
  if (error) throw error;
}
