// The session that this browser holds, before the client has looked at it.
import { z } from 'zod';

const storedSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_at: z.number(),
});

function isSession(text: string): boolean {
  try {
    return storedSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/**
 * Removes what is stored in the place of a session and is none (SPECIFICATION.md section 4).
 * @param backend address of the backend, from whose subdomain supabase-js derives the key of the session
 * @returns whether there is a session
 */
export function holdsSession(backend: string): boolean {
  try {
    const key = `sb-${new URL(backend).hostname.split('.')[0]}-auth-token`;
    const stored = localStorage.getItem(key);
    if (stored === null || isSession(stored)) return stored !== null;
    localStorage.removeItem(key);
    return false;
  } catch {
    return false; // Storage is blocked: the client keeps its session in memory.
  }
}
