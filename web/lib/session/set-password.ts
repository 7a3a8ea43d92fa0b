// Sets the password of whoever is signed in. Their other devices are signed out by the server.
import { supabase } from '../supabase/client.ts';

export type NewPassword = {
  password: string;
  /** Code of a mail, where the server asks for it. */
  nonce: string;
  /** Where the server asks for it. */
  currentPassword: string;
};

/** @throws the server's refusal, with its code: `weak_password`, `same_password`, `reauthentication_needed` … */
export async function setPassword({ password, nonce, currentPassword }: NewPassword) {
  const { error } = await supabase().auth.updateUser({
    password,
    ...(nonce ? { nonce: nonce.replaceAll(' ', '') } : {}),
    ...(currentPassword ? { current_password: currentPassword } : {}),
  });
  if (error) throw error;
}

/** Mails a code to the account's own address, to be given with the new password. */
export async function mailPasswordCode(): Promise<void> {
  const { error } = await supabase().auth.reauthenticate();
  if (error) throw error;
}
