import { supabase } from '#web/lib/supabase/client.ts';

/** @throws if the code is wrong or was used before */
export async function enterAppCode(factorId: string, code: string): Promise<void> {
  const { error } = await supabase().auth.mfa.challengeAndVerify({ factorId, code });
  if (error) throw error;
}

/** Sends a code by SMS. @returns id of the challenge */
export async function sendPhoneCode(factorId: string): Promise<string> {
  const { data, error } = await supabase().auth.mfa.challenge({ factorId, channel: 'sms' });
  if (error) throw error;
  return data.id;
}

/** @throws if the code is wrong or too old */
export async function enterPhoneCode(
  factorId: string,
  challengeId: string,
  code: string,
): Promise<void> {
  const { error } = await supabase().auth.mfa.verify({ factorId, challengeId, code });
  if (error) throw error;
}

const REFUSALS = new Map([
  ['wrong', 'This code is wrong or has already been used.'],
  ['blocked', 'Too many wrong codes. Please try again in 15 minutes.'],
]);

/**
 * Uses a recovery code instead of the second factor. The database then removes all factors of the account.
 * @throws if the code is not accepted
 */
export async function redeemRecoveryCode(code: string): Promise<void> {
  const { data } = await supabase().rpc('use_recovery_code', { code: code.trim() }).throwOnError();
  if (data !== 'accepted') throw new Error(REFUSALS.get(data) ?? 'This code was not accepted.');
  // Updates the session's user, who now has no factors.
  const { error } = await supabase().auth.refreshSession();
  if (error) throw error;
}
