// The second step: a code of an app or of a message, a passkey, or a recovery code. Each raises the session to aal2,
// but a recovery code, which takes the factors away.
import { supabase } from '#web/lib/supabase/client.ts';

/** @param code of the authenticator app @throws when it is wrong or was used before */
export async function enterAppCode(factorId: string, code: string): Promise<void> {
  const { error } = await supabase().auth.mfa.challengeAndVerify({ factorId, code });
  if (error) throw error;
}

/** Sends a code to the phone. @returns what the code must be entered with */
export async function sendPhoneCode(factorId: string): Promise<string> {
  const { data, error } = await supabase().auth.mfa.challenge({ factorId, channel: 'sms' });
  if (error) throw error;
  return data.id;
}

/** @param challengeId from sending @throws when the code is wrong or too old */
export async function enterPhoneCode(
  factorId: string,
  challengeId: string,
  code: string,
): Promise<void> {
  const { error } = await supabase().auth.mfa.verify({ factorId, challengeId, code });
  if (error) throw error;
}
