// Creates an account. The person then signs in with it: the session that comes with a new account is not used.
import { useMutation } from '@tanstack/react-query';
import { visitorClient } from '#web/lib/supabase/client.ts';

export type NewAccount = { fullName: string; email: string; password: string };

async function signUp({ fullName, email, password }: NewAccount): Promise<void> {
  const client = await visitorClient();
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
  // A session nobody will use is ended. If that fails the account exists all the same.
  const ended = await client.auth.signOut({ scope: 'local' });
  if (ended.error) console.warn('The unused first session stays open:', ended.error.message);
}

export function useSignUp() {
  return useMutation({ mutationFn: signUp });
}
