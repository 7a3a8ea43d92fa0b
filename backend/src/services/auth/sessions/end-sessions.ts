// Ends sessions with their refresh tokens. Their access tokens are refused from then on.
import type { Db } from '../database.ts';

export const SCOPES = ['global', 'local', 'others'] as const;
export type Scope = (typeof SCOPES)[number];

/** @param sessionId the caller's session; without it every scope means all sessions */
export async function endSessions(
  db: Db,
  userId: string,
  sessionId: string | undefined,
  scope: Scope,
): Promise<void> {
  if (sessionId === undefined || scope === 'global') {
    await db.query('delete from auth.sessions where user_id = $1', [userId]);
  } else if (scope === 'local') {
    await db.query('delete from auth.sessions where user_id = $1 and id = $2', [userId, sessionId]);
  } else {
    await db.query('delete from auth.sessions where user_id = $1 and id <> $2', [
      userId,
      sessionId,
    ]);
  }
}
