// The lifetime of a session: `[auth.sessions]` in config.toml, and an end set by an administrator.

import { type Db, type Sql, sql } from '../database.ts';
import type { Service } from '../service.ts';
import type { Factor } from '../users/account.ts';
import type { StartedSession } from './sign-in.ts';
import { firstToken } from './tokens.ts';

/** Whether the user has a newer session than `s`, if only one is allowed. */
export function isSuperseded({ context }: Service): Sql {
  const { single_per_user: isSingle } = context.settings.auth.sessions;
  return sql`${isSingle}::boolean and exists (select from auth.sessions newer
    where newer.user_id = s.user_id and (newer.created_at, newer.id) > (s.created_at, s.id))`;
}

/** Whether session `s` is over. Without limits it compares with null, which is never true. */
export function isOver(service: Service): Sql {
  const { timebox, inactivity_timeout: idle } = service.context.settings.auth.sessions;
  return sql`coalesce(s.not_after <= now(), false)
    or coalesce(s.created_at + make_interval(secs => ${timebox || null}) <= now(), false)
    or coalesce(coalesce(s.refreshed_at at time zone 'UTC', s.created_at)
      + make_interval(secs => ${idle || null}) <= now(), false)
    or ${isSuperseded(service)}`;
}

// Ends sessions with their refresh tokens. Their access tokens are refused from then on.
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
    await db.query(sql`delete from auth.sessions where user_id = ${userId}`);
  } else if (scope === 'local') {
    await db.query(sql`delete from auth.sessions where user_id = ${userId} and id = ${sessionId}`);
  } else {
    await db.query(sql`delete from auth.sessions where user_id = ${userId} and id <> ${sessionId}`);
  }
}

// Raises a session to aal2, and lowers it when its factor is removed.
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
  await db.query(sql`
    update auth.sessions set aal = 'aal2', factor_id = ${factor.id}, updated_at = now() where id = ${sessionId}`);
  await db.query(sql`
    insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
    values (gen_random_uuid(), ${sessionId}, clock_timestamp(), clock_timestamp(), ${METHODS[factor.factor_type]})
    on conflict (session_id, authentication_method) do update set updated_at = clock_timestamp()`);
  await db.query(sql`
    delete from auth.sessions where user_id = ${userId} and id <> ${sessionId} and coalesce(aal, 'aal1') = 'aal1'`);
  const { token, hash, salt } = firstToken();
  await db.query(sql`
    with replaced as (delete from auth.refresh_tokens where session_id = ${sessionId})
    insert into auth.refresh_tokens (token, salt, user_id, session_id, revoked, parent, created_at, updated_at)
    values (${hash}, ${salt}, ${userId}::uuid::text, ${sessionId}, false, '', now(), now())`);
  return { id: sessionId, refreshToken: token };
}

/** Deletes the factor. Sessions that it raised return to aal1 at their next refresh. */
export async function removeFactor(
  db: Db,
  factor: Pick<Factor, 'id' | 'factor_type'>,
): Promise<void> {
  await db.query(sql`delete from auth.mfa_factors where id = ${factor.id}`);
  await db.query(sql`
    delete from auth.mfa_amr_claims c using auth.sessions s
    where s.id = c.session_id and s.factor_id = ${factor.id}
      and c.authentication_method = ${METHODS[factor.factor_type]}`);
  await db.query(sql`
    update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now() where factor_id = ${factor.id}`);
}
