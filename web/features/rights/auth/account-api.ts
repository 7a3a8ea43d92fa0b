import { useMutation } from '@tanstack/react-query';
import { recoveryAddress } from '#web/lib/session/arrival.ts';
import { backend } from '#web/lib/supabase/client.ts';

export type NewAccount = { fullName: string; email: string; password: string };

/** Creates an account. The user then signs in with it; the session from signing up is not used. */
async function signUp({ fullName, email, password }: NewAccount): Promise<void> {
  const client = await backend.visitorClient();
  const { data, error } = await client.auth.signUp({
    email: email.trim(),
    password,
    options: {
      data: { full_name: fullName.trim() },
      emailRedirectTo: `${location.origin}/admin`,
    },
  });
  if (error) throw error;
  if (!data.session) return;
  // End the unused session. If that fails, the account was still created.
  const ended = await client.auth.signOut({ scope: 'local' });
  if (ended.error)
    console.warn('Could not end the unused session of the new account:', ended.error.message);
}

export function useSignUp() {
  return useMutation({ mutationFn: signUp });
}

/**
 * Emails a link to set a new password. The response does not reveal whether the account exists.
 * @throws if offline or after too many requests
 */
export async function requestNewPassword(email: string): Promise<void> {
  const client = await backend.open();
  const { error } = await client.auth.resetPasswordForEmail(email.trim(), {
    redirectTo: recoveryAddress(),
  });
  if (error) throw error;
}
