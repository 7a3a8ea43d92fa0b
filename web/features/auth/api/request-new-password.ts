// Asks for a mail with a link that sets a new password. The answer does not tell whether the account exists.
import { recoveryAddress } from '#web/lib/session/next-address.ts';
import { whenReady } from '#web/lib/supabase/client.ts';

/** @throws when there is no connection, or too many mails were asked for */
export async function requestNewPassword(email: string): Promise<void> {
  const client = await whenReady();
  const { error } = await client.auth.resetPasswordForEmail(email.trim(), {
    redirectTo: recoveryAddress(),
  });
  if (error) throw error;
}
