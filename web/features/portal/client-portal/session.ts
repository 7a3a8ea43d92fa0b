// The session of the clients' portal. A sign-in by link needs little of auth-js, which is as large as the portal's own code:
// tokens from the address, one refresh an hour, signing out. It is stored as supabase-js stores it, for the app's other pages.
import { useSyncExternalStore } from 'react';
import { arrivalAt } from '#web/lib/session/arrival.ts';
import { forgetSession, revokeEndedSessions } from '#web/lib/session/device-session.ts';
import { showNotice } from '#web/lib/session/notice.ts';
import { isRecord } from '#web/lib/session/read-json.ts';
import { markSignOut } from '#web/lib/session/sign-out.ts';
import {
  lacksSecondStep,
  parseSession,
  readStoredSession,
  type StoredSession,
  storeSession,
} from '#web/lib/session/stored-session.ts';
import { backend } from '#web/lib/supabase/client.ts';
import { watchedFetch } from '#web/lib/supabase/online.ts';

/** A token is replaced this long before it ends. */
const MARGIN_MS = 90_000;

let session: StoredSession | null = null;
const listeners = new Set<(user: string | undefined, previous: string | undefined) => void>();

function setSession(next: StoredSession | null): void {
  const previous = session?.user.id;
  session = next;
  for (const listener of listeners) listener(next?.user.id, previous);
}

/** @param listener gets the ids of the user who is signed in now, and before @returns the function that unsubscribes */
export function onSessionChange(
  listener: (user: string | undefined, previous: string | undefined) => void,
): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @returns null when nobody is signed in */
export const useSession = () => useSyncExternalStore(onSessionChange, () => session);

/** A request to the auth service. @throws without a network, or if the service is not well */
async function authRequest(path: string, token: string | undefined, body?: object) {
  const { supabaseUrl, supabaseAnonKey } = backend.config;
  const answer = await watchedFetch(`${supabaseUrl}/auth/v1/${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      apikey: supabaseAnonKey,
      Authorization: `Bearer ${token ?? supabaseAnonKey}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
  });
  if (answer.status >= 500 || answer.status === 429 || answer.status === 408) {
    throw new Error('The server is busy. Please try again.');
  }
  return answer;
}

function startSession(answer: unknown, user?: unknown): StoredSession | null {
  if (!isRecord(answer)) return null;
  const expires_in = Number(answer.expires_in);
  // By the clock of this device, with which it will be compared.
  const expires_at = Math.floor(Date.now() / 1000) + expires_in;
  const started = parseSession({ ...answer, expires_in, expires_at, user: user ?? answer.user });
  if (started) {
    storeSession(backend.config.supabaseUrl, started);
    setSession(started);
  }
  return started ?? null;
}

const LINK_FAILED = {
  tone: 'danger',
  title: 'This link no longer works',
  text: 'It has expired, or it was used before. Please ask for a new one.',
} as const;

/** Signs in with the tokens that the link of a mail left in the address, or shows what was wrong with it. */
async function takeLink(): Promise<void> {
  const { notice, address } = arrivalAt(location.href);
  if (address === undefined) return;
  const tokens = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (tokens.access_token) {
    // Until this has succeeded, the tokens stay in the address for another try.
    const answer = await authRequest('user', tokens.access_token);
    if (!answer.ok || !startSession(tokens, await answer.json())) showNotice(LINK_FAILED);
  }
  if (notice) showNotice(notice);
  history.replaceState(history.state, '', location.pathname);
}

const readSession = () => readStoredSession(backend.config.supabaseUrl) ?? null;

async function readFirstSession(): Promise<void> {
  await backend.connect();
  await takeLink();
  if (!session) setSession(readSession());
  addEventListener('storage', ({ key }) => {
    // Another tab has signed in or out, or refreshed the token.
    if (key?.endsWith('-auth-token')) setSession(readSession());
  });
}

let opening: Promise<void> | undefined;

/** Reads the session, once. @throws when the server can't be reached; the next call tries again */
export function openSession(): Promise<void> {
  opening ??= readFirstSession().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

const timeLeft = ({ expires_at }: StoredSession) => expires_at - Math.floor(Date.now() / 1000);

/** @returns whether the account, as it is now, still asks for a second step */
export async function needsSecondStep(known: StoredSession): Promise<boolean> {
  const answer = await authRequest('user', known.access_token);
  if (!answer.ok) return true;
  const next = startSession({ ...known, expires_in: timeLeft(known) }, await answer.json());
  return next !== null && lacksSecondStep(next);
}

function endSession(): void {
  showNotice({ tone: 'info', title: 'Your session has ended', text: 'Please sign in again.' });
  forgetSession();
  setSession(null);
}

let refreshing: Promise<StoredSession | null> | undefined;

async function refresh({ refresh_token }: StoredSession): Promise<StoredSession | null> {
  const answer = await authRequest('token?grant_type=refresh_token', undefined, { refresh_token });
  const next = answer.ok ? startSession(await answer.json()) : null;
  if (!next) endSession();
  return next;
}

/** @param isRefused whether the server has refused the present token @throws once the session has ended */
async function currentToken(isRefused: boolean): Promise<string> {
  // Another tab may have refreshed it.
  const known = readSession() ?? session;
  if (known && !isRefused && timeLeft(known) * 1000 > MARGIN_MS) return known.access_token;
  if (known) refreshing ??= refresh(known).finally(() => (refreshing = undefined));
  const next = await refreshing;
  if (!next) throw new Error('Your session has ended. Please sign in again.');
  return next.access_token;
}

/** fetch with the key of the backend and the token of the session, which it refreshes when needed. */
export const fetchAsContact: typeof fetch = async (input, init) => {
  const send = async (isRefused: boolean) => {
    const headers = new Headers(init?.headers);
    headers.set('apikey', backend.config.supabaseAnonKey);
    headers.set('Authorization', `Bearer ${await currentToken(isRefused)}`);
    return watchedFetch(input, { ...init, headers });
  };
  const answer = await send(false);
  return answer.status === 401 ? send(true) : answer;
};

/** Ends this browser's session at once, and on the server as soon as that can be reached. */
export function signOut(): void {
  markSignOut();
  const token = session?.access_token;
  if (forgetSession()) void revokeEndedSessions();
  // Storage is blocked, so the session was in memory only.
  else if (token) authRequest('logout?scope=local', token, {}).catch(console.warn);
  setSession(null);
}
