// The one connection to the backend: its address and public key come from the server, the types from the database.
import type { SupabaseClient } from '@supabase/supabase-js';
import * as z from 'zod/mini';
import type { Database } from '#shared/database.types.ts';
import { arrivalAt } from '../session/arrival.ts';
import { tell } from '../session/notice.ts';
import { queueRevocation, sendRevocations } from '../session/sign-out.ts';
import {
  holdsSession,
  type KnownSession,
  storedSession,
  takeStoredSession,
} from '../session/stored-session.ts';
import { watchedFetch } from './online.ts';

// The small build of Zod, here and in session/: the first screen loads no other.
// Zod would otherwise compile its checks, and the content security policy forbids code made from strings.
z.config({ jitless: true });

const appConfigSchema = z.object({
  supabaseUrl: z.url(),
  supabaseAnonKey: z.string().check(z.minLength(1)),
  /** Who may make an account: anyone, anyone who is then let in, or invited people only. */
  signupPolicy: z.enum(['open', 'approval', 'closed']),
  /** Pictures under the map, where they are configured, and whom to name for them. */
  mapTiles: z.optional(z.object({ url: z.string(), credit: z.optional(z.string()) })),
});

type AppConfig = z.infer<typeof appConfigSchema>;
export type Client = SupabaseClient<Database>;

type Connection = {
  config: AppConfig;
  heldSession: boolean;
  /** Somebody came by a link that may bring a session; it is read while the client is made, and not later. */
  isArrival: boolean;
};

let connection: Connection | undefined;
let isReady = false;
let library: typeof import('./client-library.ts') | undefined;
let client: Client | undefined;
let opening: Promise<Client> | undefined;
/** Making the client holds a slow phone up for a tenth of a second: what needs none is drawn before it. */
let drawn: Promise<void> = Promise.resolve();
const waiting = new Set<(client: Client) => void>();

async function loadLibrary() {
  library ??= await import('./client-library.ts');
  return library;
}

async function open(): Promise<Client> {
  const { config } = connected();
  await drawn;
  const { createClient } = await loadLibrary();
  const { notice, address } = arrivalAt(location.href);
  const opened = createClient<Database>(config.supabaseUrl, config.supabaseAnonKey, {
    global: { fetch: watchedFetch },
  });
  if (address !== undefined) history.replaceState(history.state, '', address);
  if (notice) tell(notice);
  client = opened;
  for (const listener of waiting) listener(opened);
  return opened;
}

/**
 * Asks the server how to connect, once; later calls return at once. The client is made when it is first asked for.
 * @throws when the server can't be reached or answers something else
 */
export async function connect(): Promise<void> {
  if (isReady) return;
  const answer = await fetch('/app-config.json');
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  const config = appConfigSchema.parse(await answer.json());
  connection ??= {
    config,
    heldSession: holdsSession(config.supabaseUrl),
    isArrival: arrivalAt(location.href).address !== undefined,
  };
  isReady = true;
}

/** @param picture what the client's making waits for, unless it has begun */
export function makeClientAfter(picture: Promise<void>): void {
  drawn = picture;
}

/** Whether `connect()` has finished. */
export const isConnected = () => isReady;

function connected() {
  if (!connection) throw new Error('connect() must finish before the backend is used.');
  return connection;
}

/**
 * The client, for whoever may not be signed in yet.
 * @throws when its code can't be loaded; the next call tries again
 */
export function whenReady(): Promise<Client> {
  opening ??= open().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/** @param listener called with the client as soon as it is there, in this call if it is @returns what takes it back */
export function onReady(listener: (client: Client) => void): () => void {
  waiting.add(listener);
  if (client) listener(client);
  return () => waiting.delete(listener);
}

/** The client, where somebody is signed in or may be by a link: nothing is asked of the backend before it is there. */
export async function whoIsSignedInIsReady(): Promise<void> {
  if (!client && (connection?.heldSession || connection?.isArrival)) await whenReady();
}

/** The client that carries the session of whoever is signed in. For queries, and for what follows a press. */
export function supabase(): Client {
  if (!client) throw new Error('The client is not there before somebody is signed in.');
  return client;
}

export function signupPolicy(): AppConfig['signupPolicy'] {
  return connected().config.signupPolicy;
}

/** Where the pictures under maps come from; undefined where none are configured. */
export function mapTiles(): AppConfig['mapTiles'] {
  return connected().config.mapTiles;
}

/** Whether this browser held a session when the page was opened. */
export function heldSession(): boolean {
  return connected().heldSession;
}

/** Whether the page was opened by a link that may bring a session. */
export function isArrival(): boolean {
  return connected().isArrival;
}

/** The session that this browser holds now, also where it could not be refreshed for want of a network. */
export function sessionOnDevice(): KnownSession | undefined {
  return storedSession(connected().config.supabaseUrl);
}

/**
 * Removes the session from this device. The server ends it when it can be reached (`revokeEndedSessions`).
 * @returns false where the browser stores none: a session in memory can only be ended by the client
 */
export function forgetSession(): boolean {
  const tokens = takeStoredSession(connected().config.supabaseUrl);
  if (tokens) queueRevocation(tokens);
  return tokens !== undefined;
}

/** Ends on the server the sessions that were ended on this device. Never throws; what fails is tried at the next call. */
export function revokeEndedSessions(): Promise<void> {
  const { supabaseUrl, supabaseAnonKey } = connected().config;
  return sendRevocations((path, token, body) =>
    watchedFetch(`${supabaseUrl}/auth/v1/${path}`, {
      method: 'POST',
      headers: {
        apikey: supabaseAnonKey,
        Authorization: `Bearer ${token ?? supabaseAnonKey}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      // The page may be closed right after signing out.
      keepalive: true,
    }),
  );
}

/** A client without a session, which leaves the one of whoever is signed in alone. Nothing of it is stored. */
export async function visitorClient(): Promise<Client> {
  const { supabaseUrl, supabaseAnonKey } = connected().config;
  const { createClient } = await loadLibrary();
  return createClient<Database>(supabaseUrl, supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: 'visitor' },
  });
}

/**
 * A client that speaks as whoever holds this token, and goes on to when somebody else signs in.
 * @param accessToken of a session; it is not refreshed
 */
export function clientWith(accessToken: string): Client {
  const { supabaseUrl, supabaseAnonKey } = connected().config;
  if (!library) throw new Error('There is no session to speak for yet.');
  return library.createClient<Database>(supabaseUrl, supabaseAnonKey, {
    accessToken: async () => accessToken,
    // In the place of a long description of the library: phones send this over the worst of lines.
    global: { headers: { 'X-Client-Info': 'outbox' } },
  });
}

const authSettingsSchema = z.object({
  external: z.record(z.string(), z.boolean()),
  saml_enabled: z._default(z.boolean(), false),
  passkeys_enabled: z._default(z.boolean(), false),
});

/**
 * Which ways of signing in the server offers. supabase-js has no call for it.
 * @throws when the server can't be reached or answers something else
 */
export async function authSettings() {
  const { supabaseUrl, supabaseAnonKey } = connected().config;
  const answer = await fetch(`${supabaseUrl}/auth/v1/settings`, {
    headers: { apikey: supabaseAnonKey },
  });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return authSettingsSchema.parse(await answer.json());
}
