// Refreshes a session: each token works once, a lost response can be requested again, and a token that is reused later ends the
// session, since it was probably stolen (RFC 9700 section 4.14.2).

import { type Db, sql, sqlState, transaction } from '../database.ts';
import { authError } from '../errors.ts';
import { audit } from '../protection/audit.ts';
import { networkHash } from '../protection/caller.ts';
import type { Call, Service } from '../service.ts';
import { accountById } from '../users/account.ts';
import { endSessions, isOver, isSuperseded } from './sessions.ts';
import { sessionObject } from './sign-in.ts';
import { fetchProof, hashToken, hasTokenShape, nextToken } from './tokens.ts';

interface TokenRow {
  id: string;
  revoked: boolean;
  /** Whether it was used within the reuse interval, so the response may have been lost. */
  just_used: boolean;
  session_id: string;
  user_id: string;
}

const LOCK_NOT_AVAILABLE = '55P03';

export async function refreshSession(call: Call, token: string): Promise<Record<string, unknown>> {
  if (!hasTokenShape(token)) throw authError('malformedRefreshToken');
  const outcome = await transaction(call.pool, (db) => rotate(call, db, token)).catch(
    (error: unknown) => {
      if (sqlState(error) === LOCK_NOT_AVAILABLE) throw authError('refreshContention');
      throw error;
    },
  );
  // Thrown only here: the end of the session must be committed first.
  if (outcome === 'reused') throw authError('usedRefreshToken');
  return sessionObject(call, outcome);
}

async function rotate(call: Call, db: Db, token: string) {
  const row = await lockToken(call, db, token);
  const account = await accountById(db, row.user_id);
  if (account === undefined) throw authError('refreshWithoutSession');
  if (account.is_banned) throw authError('refreshOfBanned');

  const refreshToken = row.revoked
    ? await sameAgain(db, row, token)
    : await replace(db, row, token);
  if (refreshToken === undefined) {
    if (call.context.settings.auth.enable_refresh_token_rotation) {
      await endSessions(db, row.user_id, row.session_id, 'local');
    }
    await audit(db, call, 'token_revoked', account, { reason: 'refresh token used twice' });
    return 'reused' as const;
  }
  await db.query(sql`
    with network as (
      insert into auth.known_networks (user_id, network) values (${row.user_id}, ${networkHash(call)})
      on conflict (user_id, network) do update set seen_at = now()
    )
    update auth.sessions set refreshed_at = now() at time zone 'UTC', updated_at = now(),
      user_agent = ${call.userAgent}, ip = ${call.address}
    where id = ${row.session_id}`);
  const session = { id: row.session_id, refreshToken };
  return { account, session, proof: await fetchProof(db, row.session_id) };
}

/** Finds the token and locks its session, which serialises concurrent refreshes. */
async function lockToken(service: Service, db: Db, token: string): Promise<TokenRow> {
  const hash = hashToken(token);
  const found = await db.query<{ session_id: string | null }>(sql`
    select session_id from auth.refresh_tokens where token = ${hash}`);
  const sessionId = found.rows[0]?.session_id;
  if (found.rows.length === 0) throw authError('unknownRefreshToken');
  if (!sessionId) throw authError('refreshWithoutSession');
  await db.query(`set local lock_timeout = '5s'`);
  const locked = await db.query<{ ended: boolean; superseded: boolean }>(sql`
    select ${isOver(service)} as ended, ${isSuperseded(service)} as superseded
    from auth.sessions s where id = ${sessionId} for update`);
  const session = locked.rows[0];
  if (session === undefined) throw authError('refreshWithoutSession');
  if (session.superseded) throw authError('refreshAfterNewerLogin');
  if (session.ended) throw authError('refreshOfExpired');
  const { refresh_token_reuse_interval: reuseInterval } = service.context.settings.auth;
  // Read after the lock: a concurrent refresh may have used the token.
  const { rows } = await db.query<TokenRow>(sql`
    select t.id, t.revoked, s.user_id, s.id as session_id,
      t.updated_at > clock_timestamp() - make_interval(secs => ${reuseInterval}) as just_used
    from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id where t.token = ${hash}`);
  const row = rows[0];
  if (row === undefined) throw authError('unknownRefreshToken');
  return row;
}

/** Consumes the token. @returns its successor */
async function replace(db: Db, row: TokenRow, token: string): Promise<string> {
  const next = nextToken(token);
  await db.query(sql`
    with used as (
      update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp() where id = ${row.id}
    )
    insert into auth.refresh_tokens (token, salt, user_id, session_id, revoked, parent, created_at, updated_at)
    values (${next.hash}, ${next.salt}, ${row.user_id}::uuid::text, ${row.session_id}, false,
      ${hashToken(token)}, clock_timestamp(), clock_timestamp())`);
  return next.token;
}

/**
 * The session's active token, recomputed from a used one: always for its direct parent, for older ones within the reuse
 * interval. @returns undefined if the token may not be used again
 */
async function sameAgain(db: Db, row: TokenRow, token: string): Promise<string | undefined> {
  const { rows: chain } = await db.query<{ salt: Buffer; parent: string; revoked: boolean }>(sql`
    select salt, parent, revoked from auth.refresh_tokens
    where session_id = ${row.session_id} and id > ${row.id} order by id`);
  let current = token;
  let steps = 0;
  for (const link of chain) {
    if (link.parent !== hashToken(current)) continue;
    current = nextToken(current, link.salt).token;
    steps += 1;
    if (!link.revoked) return steps === 1 || row.just_used ? current : undefined;
  }
  return undefined;
}
