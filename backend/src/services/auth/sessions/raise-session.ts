// Raises a session to aal2, and lowers it when its factor is removed.
import type { Db } from '../database.ts';
import { firstToken } from '../tokens/refresh-token.ts';
import type { Factor } from '../users/account.ts';
import type { StartedSession } from './start-session.ts';

const METHODS = { totp: 'totp', phone: 'mfa/phone', webauthn: 'mfa/webauthn' } as const;

/**
 * Raises the session to aal2, replaces its refresh tokens, and ends the user's sessions at aal1: they may belong to someone
 * who has only the password.
 */
export async function raiseSession(
  db: Db,
  userId: string,
  sessionId: string,
  factor: Factor,
): Promise<StartedSession> {
  await db.query(
    `update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = now() where id = $1`,
    [sessionId, factor.id],
  );
  await db.query(
    `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
     values (gen_random_uuid(), $1, clock_timestamp(), clock_timestamp(), $2)
     on conflict (session_id, authentication_method) do update set updated_at = clock_timestamp()`,
    [sessionId, METHODS[factor.factor_type]],
  );
  await db.query(
    `delete from auth.sessions where user_id = $1 and id <> $2 and coalesce(aal, 'aal1') = 'aal1'`,
    [userId, sessionId],
  );
  const { token, hash, salt } = firstToken();
  await db.query(
    `with replaced as (delete from auth.refresh_tokens where session_id = $1)
     insert into auth.refresh_tokens (token, salt, user_id, session_id, revoked, parent, created_at, updated_at)
     values ($2, $3, $4::uuid::text, $1, false, '', now(), now())`,
    [sessionId, hash, salt, userId],
  );
  return { id: sessionId, refreshToken: token };
}

/** Deletes the factor. Sessions that it raised return to aal1 at their next refresh. */
export async function removeFactor(
  db: Db,
  factor: Pick<Factor, 'id' | 'factor_type'>,
): Promise<void> {
  await db.query('delete from auth.mfa_factors where id = $1', [factor.id]);
  await db.query(
    `delete from auth.mfa_amr_claims c using auth.sessions s
     where s.id = c.session_id and s.factor_id = $1 and c.authentication_method = $2`,
    [factor.id, METHODS[factor.factor_type]],
  );
  await db.query(
    `update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now() where factor_id = $1`,
    [factor.id],
  );
}
