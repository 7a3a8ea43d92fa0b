import { supabase } from '../supabase/client.ts';

export type NewPassword = {
  password: string;
  /** Code from a mail, if the server requires one. */
  nonce: string;
  /** If the server requires it. */
  currentPassword: string;
};

/** Sets the user's password; the server signs out their other devices. @throws the server's error, with its code: `weak_password`, `same_password`, `reauthentication_needed` … */
export async function setPassword({ password, nonce, currentPassword }: NewPassword) {
  const { error } = await supabase().auth.updateUser({
    password,
    ...(nonce ? { nonce: nonce.replaceAll(' ', '') } : {}),
    ...(currentPassword ? { current_password: currentPassword } : {}),
  });
  if (error) throw error;
}

/** Mails a code to the account's address, to be entered with the new password. */
export async function mailPasswordCode(): Promise<void> {
  const { error } = await supabase().auth.reauthenticate();
  if (error) throw error;
}
