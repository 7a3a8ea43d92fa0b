// Reads the session that supabase-js stores in localStorage, before the client exists.
import type { User } from '@supabase/supabase-js';
import * as z from 'zod/mini';

const storedSchema = z.object({
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
  expires_at: z.number(),
});

const knownSchema = z.object({
  access_token: z.string(),
  user: z.custom<User>((user) => z.object({ id: z.string() }).safeParse(user).success),
});

/** The session as stored; the token may have expired. */
export type KnownSession = z.infer<typeof knownSchema>;

/** The key that supabase-js derives from the backend's subdomain. */
const keyOf = (backend: string) => `sb-${new URL(backend).hostname.split('.')[0]}-auth-token`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Also removes a stored value that is not a session, which would break the client.
 * @param backend URL of the backend
 */
export function hasStoredSession(backend: string): boolean {
  try {
    const key = keyOf(backend);
    const stored = localStorage.getItem(key);
    if (stored === null || storedSchema.safeParse(parsed(stored)).success) return stored !== null;
    localStorage.removeItem(key);
    return false;
  } catch {
    return false; // Storage is blocked, so the client keeps its session in memory.
  }
}

const tokensSchema = z.pick(storedSchema, { access_token: true, refresh_token: true });
export type SessionTokens = z.infer<typeof tokensSchema>;

/**
 * Removes the stored session.
 * @param backend URL of the backend
 * @returns its tokens; undefined if none is stored
 */
export function takeStoredSession(backend: string): SessionTokens | undefined {
  try {
    const key = keyOf(backend);
    const { data } = tokensSchema.safeParse(parsed(localStorage.getItem(key) ?? ''));
    localStorage.removeItem(key);
    return data;
  } catch {
    return undefined; // Storage is blocked, so the client keeps its session in memory.
  }
}

/**
 * Also returns an expired session, which can't be refreshed offline. It decides whose cached data is shown; the server
 * checks the token itself.
 * @param backend URL of the backend
 */
export function readStoredSession(backend: string): KnownSession | undefined {
  try {
    const stored = parsed(localStorage.getItem(keyOf(backend)) ?? '');
    if (!storedSchema.safeParse(stored).success) return undefined;
    return knownSchema.safeParse(stored).data;
  } catch {
    return undefined;
  }
}

const claimsSchema = z.object({ aal: z.string() });

function levelOf(accessToken: string): string {
  const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  try {
    return claimsSchema.parse(JSON.parse(atob(payload))).aal;
  } catch {
    return 'aal1'; // Not one of our tokens; the database treats it the same way.
  }
}

/** @returns the verified factors, oldest first */
export function usableFactors(user: User) {
  return (user.factors ?? []).filter((factor) => factor.status === 'verified');
}

/** The account has a verified factor, but the token's assurance level is aal1. The database enforces the same rule. */
export function lacksSecondStep(session: { access_token: string; user: User }): boolean {
  return usableFactors(session.user).length > 0 && levelOf(session.access_token) !== 'aal2';
}
