import { useMutation } from '@tanstack/react-query';
import { toE164 } from '#shared/phone.ts';
import { thisAddress } from '#web/lib/session/arrival.ts';
import {
  forgetSession,
  revokeEndedSessions,
  sessionOnDevice,
} from '#web/lib/session/device-session.ts';
import { toProvider } from '#web/lib/session/sign-in-options.ts';
import { announceSignOut, markSignOut } from '#web/lib/session/sign-out.ts';
import { lacksSecondStep } from '#web/lib/session/stored-session.ts';
import { backend } from '#web/lib/supabase/client.ts';

/** `email` is an email address or a phone number. */
export type Credentials = { email: string; password: string };

/** @returns `isComplete`: false if the account has a second factor, which comes next */
async function signIn({ email, password }: Credentials): Promise<{ isComplete: boolean }> {
  const client = await backend.open();
  const phone = toE164(email);
  const { data, error } = await client.auth.signInWithPassword(
    phone === undefined ? { email: email.trim(), password } : { phone, password },
  );
  if (error) throw error;
  return { isComplete: !lacksSecondStep(data.session) };
}

export function useSignIn() {
  return useMutation({ mutationFn: signIn });
}

/**
 * Redirects to the provider, which redirects back to this screen with a session or an error in the URL.
 * @param name of the provider, as in the server's settings
 */
export async function signInWithProvider(name: string): Promise<void> {
  const client = await backend.open();
  const { error } = await client.auth.signInWithOAuth({
    provider: toProvider(name),
    options: { redirectTo: thisAddress() },
  });
  if (error) throw error;
}

/**
 * @param email address at the company; its domain selects the company's sign-in
 * @throws if no company with this domain has single sign-on
 */
export async function signInWithCompany(email: string): Promise<void> {
  const domain = email.trim().split('@').at(-1) ?? '';
  const client = await backend.open();
  const { error } = await client.auth.signInWithSSO({
    domain,
    options: { redirectTo: thisAddress() },
  });
  if (error) throw error;
}

/** Clears the Supabase client: its session in memory, its sockets and the other tabs. */
async function signOutClient(): Promise<void> {
  const { auth } = await backend.open();
  await auth.initialize();
  // Another user may have signed in by now. Without a stored session signOut() makes no request.
  if (sessionOnDevice()) return;
  const { error } = await auth.signOut({ scope: 'local' });
  if (error) throw error;
}

/** Ends this browser's session immediately, even offline. Other devices stay signed in. */
async function signOut(): Promise<void> {
  markSignOut();
  if (!forgetSession()) return signOutClient();
  announceSignOut();
  void revokeEndedSessions();
  // Not awaited: the client may be waiting for a connection to refresh the session just removed.
  signOutClient().catch(console.warn);
}

export function useSignOut() {
  return useMutation({ mutationFn: signOut });
}
