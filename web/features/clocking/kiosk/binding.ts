// How the device proves itself: a secret that it made, and that the server knows since a one-time code was entered.
import { PostgrestClient } from '@supabase/postgrest-js';
import * as z from 'zod/mini';
import type { Database } from '#shared/database.types.ts';
import { accepted, NotSent } from '#web/lib/outbox/answers.ts';
import { outboxStore } from '#web/lib/outbox/store.ts';
import { backend } from '#web/lib/supabase/client.ts';
import { watchedFetch } from '#web/lib/supabase/online.ts';

const SECRET = 'kiosk-secret';
/** Kept until the server has confirmed it, so that a lost response can be asked for again. */
const NEW_SECRET = 'kiosk-new-secret';
const secretSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** The device calls functions of the database and nothing else, so the page doesn't load the rest of supabase-js. */
export type KioskClient = PostgrestClient<Database>;

/** A client without a session. @throws while the server can't be reached */
export async function kioskClient(): Promise<KioskClient> {
  await backend.connect();
  const { supabaseUrl, supabaseAnonKey } = backend.config;
  return new PostgrestClient<Database>(`${supabaseUrl}/rest/v1`, {
    headers: { apikey: supabaseAnonKey, Authorization: `Bearer ${supabaseAnonKey}` },
    fetch: watchedFetch,
  });
}

async function readValue(name: string): Promise<string | undefined> {
  return secretSchema.safeParse(await (await outboxStore()).getValue(name)).data;
}

/** @returns undefined while the device is not bound to a site */
export const readSecret = () => readValue(SECRET);

/** The secret of a call. @throws NotSent while the device is not bound: what waits, waits until it is */
export async function requireSecret(): Promise<string> {
  const secret = await readSecret();
  if (!secret) throw new NotSent('signed-out', 'This device is not bound to a site.');
  return secret;
}

export async function forgetSecret(): Promise<void> {
  await (await outboxStore()).setValue(SECRET, null);
}

const makeSecret = () =>
  [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

const bindAnswer = z.object({ outcome: z.enum(['bound', 'wrong', 'blocked']) });

/** @returns why it was not bound @throws NotSent without a network */
export async function bindDevice(code: string): Promise<string | undefined> {
  const store = await outboxStore();
  const secret = (await readValue(NEW_SECRET)) ?? makeSecret();
  await store.setValue(NEW_SECRET, secret);
  const client = await kioskClient();
  const { data } = accepted(
    await client
      .rpc('device_bind', { p_code: code, p_secret: secret })
      .abortSignal(AbortSignal.timeout(20_000)),
  );
  const { outcome } = bindAnswer.parse(data);
  if (outcome === 'wrong') return 'This code is wrong, used or older than 30 minutes.';
  if (outcome === 'blocked') return 'Too many wrong codes. Wait a minute and try again.';
  await store.setValue(SECRET, secret);
  await store.setValue(NEW_SECRET, null);
  return undefined;
}
