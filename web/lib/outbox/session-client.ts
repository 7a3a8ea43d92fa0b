// As whom the outbox speaks: the signed-in person, through a client that goes on as that person when somebody else signs in.
import type { AuthError } from '@supabase/supabase-js';
import { messageOf } from '../errors/error-message.ts';
import { type Client, clientWith, whenReady } from '../supabase/client.ts';
import { NotSent } from './answers.ts';

let connection: { token: string; client: Client } | undefined;

/** A session that has run out can't be refreshed without a network: that is no sign-out. */
function throwIfOffline(error: AuthError | null): void {
  // By its name: the library's own test would bring all of it into the first screen.
  if (error?.name === 'AuthRetryableFetchError') throw new NotSent('offline', messageOf(error));
}

/** @throws NotSent while the session can't be refreshed */
export async function whoIsIn() {
  const { data, error } = await (await whenReady()).auth.getSession();
  throwIfOffline(error);
  if (!data.session) return undefined;
  const { access_token: token, user } = data.session;
  if (connection?.token !== token) connection = { token, client: clientWith(token) };
  return { userId: user.id, connection: connection.client };
}

let renewed: string | undefined;

/**
 * Asks for a new token where the server takes the present one no more, for example since the clock of the device is behind.
 * @returns false where the token is new already: then it is not the token that the server objects to
 * @throws NotSent while there is no network
 */
export async function renew(): Promise<boolean> {
  const { auth } = await whenReady();
  const before = await auth.getSession();
  if (!before.data.session || before.data.session.access_token === renewed) return false;
  const { data, error } = await auth.refreshSession();
  throwIfOffline(error);
  renewed = data.session?.access_token;
  return data.session !== null;
}
