// Asks for another e-mail address. It counts once the links in the mails to the old and to the new one were opened.
import { thisAddress } from '#web/lib/session/next-address.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** @throws when the address is taken or is no address */
export async function changeEmail(email: string): Promise<void> {
  const { error } = await supabase().auth.updateUser(
    { email: email.trim() },
    { emailRedirectTo: thisAddress() },
  );
  if (error) throw error;
}

/** Mails the links once more. @param current the address that the account has until then */
export async function resendEmailChange(current: string): Promise<void> {
  const { error } = await supabase().auth.resend({
    type: 'email_change',
    email: current,
    options: { emailRedirectTo: thisAddress() },
  });
  if (error) throw error;
}
