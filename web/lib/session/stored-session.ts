// The session that this browser holds, before the client has looked at it.
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

/** Who is signed in, as far as this browser knows. */
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
 * Removes what is stored in the place of a session and is none (SPECIFICATION.md section 4).
 * @param backend address of the backend
 * @returns whether there is a session
 */
export function holdsSession(backend: string): boolean {
  try {
    const key = keyOf(backend);
    const stored = localStorage.getItem(key);
    if (stored === null || storedSchema.safeParse(parsed(stored)).success) return stored !== null;
    localStorage.removeItem(key);
    return false;
  } catch {
    return false; // Storage is blocked: the client keeps its session in memory.
  }
}

const tokensSchema = z.pick(storedSchema, { access_token: true, refresh_token: true });
export type SessionTokens = z.infer<typeof tokensSchema>;

/**
 * Removes the session that is stored.
 * @param backend address of the backend
 * @returns its tokens; undefined where none is stored
 */
export function takeStoredSession(backend: string): SessionTokens | undefined {
  try {
    const key = keyOf(backend);
    const { data } = tokensSchema.safeParse(parsed(localStorage.getItem(key) ?? ''));
    localStorage.removeItem(key);
    return data;
  } catch {
    return undefined; // Storage is blocked: the client keeps its session in memory.
  }
}

/**
 * The session as it is stored, even where it has run out and can't be refreshed without a network.
 * It tells whose last seen data may be shown; what the server gives is decided there.
 * @param backend address of the backend
 */
export function storedSession(backend: string): KnownSession | undefined {
  try {
    const stored = parsed(localStorage.getItem(keyOf(backend)) ?? '');
    if (!storedSchema.safeParse(stored).success) return undefined;
    return knownSchema.safeParse(stored).data;
  } catch {
    return undefined;
  }
}
