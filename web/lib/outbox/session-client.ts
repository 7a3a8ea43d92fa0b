// The signed-in user for the outbox, with a client that keeps acting for that user when another one signs in.
import type { AuthError } from '@supabase/supabase-js';
import { describeError } from '../errors/error-message.ts';
import { backend, type Client } from '../supabase/client.ts';
import { NotSent } from './answers.ts';

let current: { token: string; client: Client } | undefined;

/** An expired session that can't be refreshed offline is not a sign-out. */
function throwIfOffline(error: AuthError | null): void {
  // By name: auth-js's own type guard would add the library to the first screen.
  if (error?.name === 'AuthRetryableFetchError') throw new NotSent('offline', describeError(error));
}

/** @throws NotSent while the session can't be refreshed */
export async function currentUser() {
  const { data, error } = await (await backend.open()).auth.getSession();
  throwIfOffline(error);
  if (!data.session) return undefined;
  const { access_token: token, user } = data.session;
  if (current?.token !== token) current = { token, client: await backend.clientFor(token) };
  return { userId: user.id, connection: current.client };
}

let refreshedToken: string | undefined;

/**
 * Refreshes a token that the server refused, for example because the device's clock is behind.
 * @returns false if the token is already a refreshed one, so that the server refuses it for another reason
 * @throws NotSent while offline
 */
export async function refreshToken(): Promise<boolean> {
  const { auth } = await backend.open();
  const before = await auth.getSession();
  if (!before.data.session || before.data.session.access_token === refreshedToken) return false;
  const { data, error } = await auth.refreshSession();
  throwIfOffline(error);
  refreshedToken = data.session?.access_token;
  return data.session !== null;
}
