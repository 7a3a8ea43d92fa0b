// Whether this browser holds a session, before the client has looked at it.
import { z } from 'zod';

const storedSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_at: z.number(),
});

/** @param backend address of the backend, from whose subdomain supabase-js derives the key of the session */
export function holdsSession(backend: string): boolean {
  try {
    const stored = localStorage.getItem(`sb-${new URL(backend).hostname.split('.')[0]}-auth-token`);
    return stored !== null && storedSchema.safeParse(JSON.parse(stored)).success;
  } catch {
    return false; // Storage is blocked, or holds something else; supabase-js removes it.
  }
}
