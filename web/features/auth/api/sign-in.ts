// Signs in with e-mail address and password.
import { useMutation } from '@tanstack/react-query';
import { lacksSecondStep } from '#web/lib/session/assurance.ts';
import { whenReady } from '#web/lib/supabase/client.ts';

export type Credentials = { email: string; password: string };

/** @returns whether that was all: an account with a verified factor is asked for it next */
async function signIn({ email, password }: Credentials): Promise<{ isComplete: boolean }> {
  const client = await whenReady();
  const { data, error } = await client.auth.signInWithPassword({
    email: email.trim(),
    password,
  });
  if (error) throw error;
  return { isComplete: !lacksSecondStep(data.session) };
}

export function useSignIn() {
  return useMutation({ mutationFn: signIn });
}
