// Signs in with e-mail address and password.
import { useMutation } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase.ts';

export type Credentials = { email: string; password: string };

async function signIn({ email, password }: Credentials): Promise<void> {
  const { error } = await supabase().auth.signInWithPassword({ email: email.trim(), password });
  if (error) throw error;
}

export function useSignIn() {
  return useMutation({ mutationFn: signIn });
}
