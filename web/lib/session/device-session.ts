// The session that this browser stores: reads it, removes it, and revokes it on the server.
import { backend } from '../supabase/client.ts';
import { watchedFetch } from '../supabase/online.ts';
import { queueRevocation, sendRevocations } from './sign-out.ts';
import { type KnownSession, readStoredSession, takeStoredSession } from './stored-session.ts';

/** The stored session, even if it has expired and could not be refreshed offline. */
export function sessionOnDevice(): KnownSession | undefined {
  return readStoredSession(backend.config.supabaseUrl);
}

let queueing: Promise<void> | undefined;

/**
 * Removes the session from this device. `revokeEndedSessions` then ends it on the server.
 * @returns false if this browser blocks storage: a session in memory can only be ended by the client
 */
export function forgetSession(): boolean {
  const tokens = takeStoredSession(backend.config.supabaseUrl);
  if (tokens) queueing = queueRevocation(tokens).catch(console.warn);
  return tokens !== undefined;
}

/** Revokes on the server the sessions that were removed from this device. Never rejects; failures are retried by the next call. */
export async function revokeEndedSessions(): Promise<void> {
  const { supabaseUrl, supabaseAnonKey } = backend.config;
  await queueing;
  return sendRevocations(({ session, proof }) =>
    watchedFetch(`${supabaseUrl}/rest/v1/rpc/end_left_session`, {
      method: 'POST',
      headers: {
        apikey: supabaseAnonKey,
        Authorization: `Bearer ${supabaseAnonKey}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ p_session_id: session, p_proof: proof }),
      // The page may be closed right after signing out.
      keepalive: true,
    }),
  );
}
