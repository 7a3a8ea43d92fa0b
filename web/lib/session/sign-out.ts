// Signing out: marks the sign-out as deliberate for every tab, and queues the session for revocation while the server is
// unreachable.
import { isRecord, isText, readJson } from './read-json.ts';
import { parseTokens, type SessionTokens, sessionIdOf } from './stored-session.ts';

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

/** Ends a session and can do nothing else: the tokens of a session that has ended are never stored. */
type Revocation = {
  /** Null if its access token was unreadable. */
  session: string | null;
  /** SHA-256 of its refresh token, in hex. */
  proof: string;
};

const PROOF = /^[0-9a-f]{64}$/;

function parseRevocation(value: unknown): Revocation | undefined {
  if (!isRecord(value)) return undefined;
  const { session, proof } = value;
  if (!isText(proof) || !PROOF.test(proof)) return undefined;
  return { session: isText(session) ? session : null, proof };
}

/** @returns undefined in a page without HTTPS, whose browser has no hash functions */
async function toRevocation(tokens: SessionTokens): Promise<Revocation | undefined> {
  if (!globalThis.crypto?.subtle) return undefined;
  const bytes = new TextEncoder().encode(tokens.refresh_token);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const proof = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { session: sessionIdOf(tokens.access_token) ?? null, proof };
}

function readQueue(): unknown[] {
  try {
    const stored = readJson(localStorage.getItem(REVOCATIONS) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return []; // Storage is blocked.
  }
}

function writeQueue(revocations: readonly unknown[]): void {
  if (revocations.length === 0) localStorage.removeItem(REVOCATIONS);
  else localStorage.setItem(REVOCATIONS, JSON.stringify(revocations));
}

/** A version of the app before this one stored the tokens themselves. */
async function replaceStoredTokens(): Promise<void> {
  const stored = readQueue();
  const old = stored.flatMap((value) => parseTokens(value) ?? []);
  if (old.length === 0) return;
  const replaced = (await Promise.all(old.map(toRevocation))).filter((one) => one !== undefined);
  writeQueue([...stored.flatMap((value) => parseRevocation(value) ?? []), ...replaced]);
}

/** Queues the end of a session that this device has removed. */
export async function queueRevocation(tokens: SessionTokens): Promise<void> {
  const revocation = await toRevocation(tokens);
  if (revocation) writeQueue([...readQueue(), revocation]);
}

function removeFromQueue({ proof }: Revocation): void {
  writeQueue(readQueue().filter((value) => parseRevocation(value)?.proof !== proof));
}

/** @returns the response, which may be an error @throws when the server can't be reached */
export type Post = (revocation: Revocation) => Promise<Response>;

const isTransient = ({ status }: Response) => status >= 500 || status === 408 || status === 429;

let running: Promise<void> | undefined;

async function revokeAll(post: Post): Promise<void> {
  await replaceStoredTokens();
  const tried = new Set<string>();
  for (;;) {
    const next = readQueue()
      .flatMap((value) => parseRevocation(value) ?? [])
      .find(({ proof }) => !tried.has(proof));
    if (!next) return;
    tried.add(next.proof);
    // The server has ended the session, or has no such session.
    if (!isTransient(await post(next))) removeFromQueue(next);
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
