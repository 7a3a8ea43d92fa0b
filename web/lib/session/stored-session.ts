// Reads the session that supabase-js stores in localStorage, before the client exists.
import type { User } from '@supabase/supabase-js';
import { isRecord, isText, readJson } from './read-json.ts';

export type SessionTokens = { access_token: string; refresh_token: string };

/** @returns the tokens of a session or of the server's answer; undefined if it has none */
export function parseTokens(value: unknown): SessionTokens | undefined {
  if (!isRecord(value)) return undefined;
  const { access_token, refresh_token } = value;
  return isText(access_token) && isText(refresh_token)
    ? { access_token, refresh_token }
    : undefined;
}

const isSession = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && parseTokens(value) !== undefined && typeof value.expires_at === 'number';

const isUser = (value: unknown): value is User => isRecord(value) && isText(value.id);

/** The session as stored; the token may have expired. */
export type KnownSession = { access_token: string; user: User };
/** `expires_at` is in seconds since 1970. */
export type StoredSession = KnownSession & SessionTokens & { expires_at: number };

/** @returns undefined if the value is no session of a user */
export function parseSession(value: unknown): StoredSession | undefined {
  const tokens = parseTokens(value);
  if (!tokens || !isRecord(value)) return undefined;
  const { expires_at, user } = value;
  return typeof expires_at === 'number' && Number.isFinite(expires_at) && isUser(user)
    ? { ...value, ...tokens, expires_at, user }
    : undefined;
}

/** The key that supabase-js derives from the backend's subdomain. */
const keyOf = (backend: string) => `sb-${new URL(backend).hostname.split('.')[0]}-auth-token`;

/**
 * Also removes a stored value that is not a session, which would break the client.
 * @param backend URL of the backend
 */
export function hasStoredSession(backend: string): boolean {
  try {
    const key = keyOf(backend);
    const stored = localStorage.getItem(key);
    if (stored === null || isSession(readJson(stored))) return stored !== null;
    localStorage.removeItem(key);
    return false;
  } catch {
    return false; // Storage is blocked, so the client keeps its session in memory.
  }
}

/** Stores a session as supabase-js does. */
export function storeSession(backend: string, session: StoredSession): void {
  try {
    localStorage.setItem(keyOf(backend), JSON.stringify(session));
  } catch {
    // Storage is blocked or full, so the session lasts as long as the page.
  }
}

/**
 * Removes the stored session.
 * @param backend URL of the backend
 * @returns its tokens; undefined if none is stored
 */
export function takeStoredSession(backend: string): SessionTokens | undefined {
  try {
    const key = keyOf(backend);
    const stored = readJson(localStorage.getItem(key) ?? '');
    localStorage.removeItem(key);
    return parseTokens(stored);
  } catch {
    return undefined; // Storage is blocked, so the client keeps its session in memory.
  }
}

/**
 * Also returns an expired session, which can't be refreshed offline. It decides whose cached data is shown; the server
 * checks the token itself.
 * @param backend URL of the backend
 */
export function readStoredSession(backend: string): StoredSession | undefined {
  try {
    return parseSession(readJson(localStorage.getItem(keyOf(backend)) ?? ''));
  } catch {
    return undefined;
  }
}

function textClaim(accessToken: string, name: string): string | undefined {
  const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  try {
    const claims = readJson(atob(payload));
    const claim = isRecord(claims) ? claims[name] : undefined;
    return isText(claim) ? claim : undefined;
  } catch {
    return undefined; // Not base64, so not one of our tokens.
  }
}

export const sessionIdOf = (accessToken: string) => textClaim(accessToken, 'session_id');

/** The database treats a token without a level the same way. */
const levelOf = (accessToken: string): string => textClaim(accessToken, 'aal') ?? 'aal1';

/** @returns the verified factors, oldest first */
export function usableFactors(user: User) {
  return (user.factors ?? []).filter((factor) => factor.status === 'verified');
}

/** The account has a verified factor, but the token's assurance level is aal1. The database enforces the same rule. */
export function lacksSecondStep(session: { access_token: string; user: User }): boolean {
  return usableFactors(session.user).length > 0 && levelOf(session.access_token) !== 'aal2';
}
