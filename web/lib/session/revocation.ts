// Sessions that were ended on this device while the server could not be reached. Their tokens stay in storage until the server
// has ended them too: an access token may have expired by then, so the refresh token is needed as well.
import * as z from 'zod/mini';
import type { SessionTokens } from './stored-session.ts';

const KEY = 'sessions-to-revoke';
const endedSchema = z.array(z.object({ access_token: z.string(), refresh_token: z.string() }));

function read(): SessionTokens[] {
  try {
    return endedSchema.parse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
  } catch {
    return [];
  }
}

function write(ended: readonly SessionTokens[]): void {
  if (ended.length === 0) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(ended));
}

export function queueRevocation(tokens: SessionTokens): void {
  write([...read(), tokens]);
}

function replace(before: SessionTokens, after?: SessionTokens): void {
  write(
    read().flatMap((each) => (each.refresh_token === before.refresh_token ? (after ?? []) : each)),
  );
}

/** @returns the response, which may be an error @throws where the server can't be reached */
export type Post = (path: string, token: string | undefined, body?: object) => Promise<Response>;

const tokensSchema = z.object({ access_token: z.string(), refresh_token: z.string() });
const LOGOUT = 'logout?scope=local';
const isTokenRefused = ({ status }: Response) => status === 401 || status === 403;
/** The same request may succeed later. */
const isPassing = ({ status }: Response) => status >= 500 || status === 408 || status === 429;

/** @returns whether the server has ended the session, or knows no such session */
async function revoke(tokens: SessionTokens, post: Post): Promise<boolean> {
  const answer = await post(LOGOUT, tokens.access_token);
  if (!isTokenRefused(answer)) return !isPassing(answer);
  const refreshed = await post('token?grant_type=refresh_token', undefined, {
    refresh_token: tokens.refresh_token,
  });
  if (!refreshed.ok) return !isPassing(refreshed);
  const renewed = tokensSchema.parse(await refreshed.json());
  // Before the next request, which may fail: a refresh token works once.
  replace(tokens, renewed);
  if (!isPassing(await post(LOGOUT, renewed.access_token))) replace(renewed);
  return false;
}

let running: Promise<void> | undefined;

async function revokeAll(post: Post): Promise<void> {
  const tried = new Set<string>();
  for (;;) {
    const next = read().find(({ refresh_token }) => !tried.has(refresh_token));
    if (!next) return;
    tried.add(next.refresh_token);
    if (await revoke(next, post)) replace(next);
  }
}

/** Ends on the server what was ended here. What fails stays for the next call. */
export function sendRevocations(post: Post): Promise<void> {
  running ??= revokeAll(post)
    .catch((error: unknown) => {
      console.warn('The server could not be told yet that a session has ended:', error);
    })
    .finally(() => {
      running = undefined;
    });
  return running;
}
