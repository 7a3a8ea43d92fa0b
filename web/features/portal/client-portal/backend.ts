// The portal calls functions, reads a table and loads photos, so it doesn't load the rest of supabase-js.
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

/** Side in pixels, for screens with two device pixels per CSS pixel. */
const PHOTO_SIDE = 96;

/** @throws if the guard has left the post, among other reasons */
export async function fetchPhoto(path: string): Promise<Blob> {
  const storage = `${backend.config.supabaseUrl}/storage/v1`;
  const file = `authenticated/photos/${encodeURIComponent(path)}`;
  const size = `width=${PHOTO_SIDE}&height=${PHOTO_SIDE}&resize=cover`;
  const small = await fetchAsContact(`${storage}/render/image/${file}?${size}`);
  // Not every storage service resizes photos.
  const answer = small.ok ? small : await fetchAsContact(`${storage}/object/${file}`);
  if (!answer.ok) throw new Error('This photo could not be loaded.');
  return answer.blob();
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
