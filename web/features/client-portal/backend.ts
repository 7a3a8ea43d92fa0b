// What the portal asks of the backend. It calls functions and reads a table, so it doesn't load the rest of supabase-js.
import { PostgrestClient } from '@supabase/postgrest-js';
import type { Database } from '#shared/database.types.ts';
import { isRecord, isText } from '#web/lib/session/read-json.ts';
import { backend } from '#web/lib/supabase/client.ts';
import { watchedFetch } from '#web/lib/supabase/online.ts';
import { fetchAsContact } from './session.ts';

let client: PostgrestClient<Database> | undefined;

/** The database, as the contact who is signed in. */
export function portal(): PostgrestClient<Database> {
  client ??= new PostgrestClient<Database>(`${backend.config.supabaseUrl}/rest/v1`, {
    fetch: fetchAsContact,
  });
  return client;
}

/** Asks for a link by mail. @throws with the server's sentence */
export async function requestLink(email: string): Promise<void> {
  const { supabaseUrl, supabaseAnonKey } = backend.config;
  const answer = await watchedFetch(`${supabaseUrl}/functions/v1/client-link`, {
    method: 'POST',
    headers: {
      apikey: supabaseAnonKey,
      Authorization: `Bearer ${supabaseAnonKey}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ email: email.trim() }),
  });
  if (answer.ok) return;
  const body: unknown = await answer.json().catch(() => undefined);
  const message = isRecord(body) && isText(body.message) ? body.message : undefined;
  throw new Error(message ?? `The server answered ${answer.status}. Please try again.`);
}
