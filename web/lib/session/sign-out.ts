// Signing out: marks the sign-out as deliberate for every tab, and queues the session for revocation while the server is
// unreachable.
import { readJson } from './read-json.ts';
import { parseTokens, type SessionTokens } from './stored-session.ts';

const SIGNED_OUT_AT = 'signed-out-at';
/** Other tabs receive the event well within this time. */
const RECENT_MS = 10_000;

/** Call it just before signing out. */
export function markSignOut(): void {
  try {
    localStorage.setItem(SIGNED_OUT_AT, String(Date.now()));
  } catch {
    // Storage is blocked, so no session is stored either, and no other tab shares it.
  }
}

/** Whether the session was just ended by the user, in any tab, and did not expire. */
export function isDeliberateSignOut(): boolean {
  try {
    return Date.now() - Number(localStorage.getItem(SIGNED_OUT_AT) ?? 0) < RECENT_MS;
  } catch {
    return true;
  }
}

const listeners = new Set<() => void>();

/** @returns the function that unsubscribes */
export function onSignOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Call it once this device has removed the session. */
export function announceSignOut(): void {
  for (const listener of listeners) listener();
}

const REVOCATIONS = 'sessions-to-revoke';

function readQueue(): SessionTokens[] {
  try {
    const stored = readJson(localStorage.getItem(REVOCATIONS) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap((tokens) => parseTokens(tokens) ?? []) : [];
  } catch {
    return []; // Storage is blocked.
  }
}

function writeQueue(sessions: readonly SessionTokens[]): void {
  if (sessions.length === 0) localStorage.removeItem(REVOCATIONS);
  else localStorage.setItem(REVOCATIONS, JSON.stringify(sessions));
}

/** Both tokens are stored: the access token may have expired by the time the server is reachable. */
export function queueRevocation(tokens: SessionTokens): void {
  writeQueue([...readQueue(), tokens]);
}

function replaceInQueue(before: SessionTokens, after?: SessionTokens): void {
  writeQueue(
    readQueue().flatMap((session) =>
      session.refresh_token === before.refresh_token ? (after ?? []) : session,
    ),
  );
}

/** @returns the response, which may be an error @throws when the server can't be reached */
export type Post = (path: string, token: string | undefined, body?: object) => Promise<Response>;

const LOGOUT = 'logout?scope=local';
const isTokenRefused = ({ status }: Response) => status === 401 || status === 403;
const isTransient = ({ status }: Response) => status >= 500 || status === 408 || status === 429;

/** @returns whether the server has ended the session, or has no such session */
async function revoke(tokens: SessionTokens, post: Post): Promise<boolean> {
  const answer = await post(LOGOUT, tokens.access_token);
  if (!isTokenRefused(answer)) return !isTransient(answer);
  const refreshed = await post('token?grant_type=refresh_token', undefined, {
    refresh_token: tokens.refresh_token,
  });
  if (!refreshed.ok) return !isTransient(refreshed);
  const renewed = parseTokens(await refreshed.json());
  if (!renewed) throw new Error('The server refreshed a session without its tokens.');
  // Stored before the next request, which may fail: a refresh token works once.
  replaceInQueue(tokens, renewed);
  if (!isTransient(await post(LOGOUT, renewed.access_token))) replaceInQueue(renewed);
  return false;
}

let running: Promise<void> | undefined;

async function revokeAll(post: Post): Promise<void> {
  const tried = new Set<string>();
  for (;;) {
    const next = readQueue().find(({ refresh_token }) => !tried.has(refresh_token));
    if (!next) return;
    tried.add(next.refresh_token);
    if (await revoke(next, post)) replaceInQueue(next);
  }
}

/** Revokes the queued sessions on the server. What fails stays in the queue for the next call. */
export function sendRevocations(post: Post): Promise<void> {
  running ??= revokeAll(post)
    .catch((error: unknown) => {
      console.warn('Ended sessions could not be revoked on the server yet:', error);
    })
    .finally(() => {
      running = undefined;
    });
  return running;
}
