import { type Db, sql, transaction } from '../database.ts';
import { errors } from '../errors.ts';
import { rememberDevice } from '../mail/notices.ts';
import { audit } from '../protection/audit.ts';
import type { Call, Service } from '../service.ts';
import { type Account, requireAccount, userObject } from '../users/account.ts';
import { fetchProof, firstToken, type Proof, signAccessToken } from './tokens.ts';

export interface OpenSession {
  account: Account;
  session: StartedSession;
  proof: Proof;
}

/**
 * Starts a session inside the caller's transaction.
 * @param method GoTrue's name of the authentication method
 * @throws AuthError 403 if the account is banned
 */
export async function openSession(
  db: Db,
  call: Call,
  userId: string,
  method: string,
): Promise<OpenSession> {
  const session = await startSession(db, call, userId, method);
  const account = await requireAccount(db, userId, 'userGone');
  if (account.is_banned) throw errors.banned(403);
  await audit(db, call, 'login', account, { method });
  await rememberDevice(db, call, account);
  return { account, session, proof: await fetchProof(db, session.id) };
}

/**
 * Signs a user in within one transaction.
 * @param prepare runs first in the same transaction and returns the account: creates it, or consumes a code
 * @returns the session object
 */
export async function signIn(
  call: Call,
  method: string,
  prepare: (db: Db) => Promise<string>,
): Promise<Record<string, unknown>> {
  const opened = await transaction(call.pool, async (db) =>
    openSession(db, call, await prepare(db), method),
  );
  return sessionObject(call, opened);
}

// Starts a session: its row, authentication method, first refresh token, and the account's last sign-in.
export interface StartedSession {
  id: string;
  refreshToken: string;
}

/** @param method GoTrue's name of the authentication method, for example `password` */
export async function startSession(
  db: Db,
  call: Call,
  userId: string,
  method: string,
): Promise<StartedSession> {
  const id = crypto.randomUUID();
  const { token, hash, salt } = firstToken();
  await db.query(sql`
    with session as (
      insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)
      values (${id}, ${userId}, now(), now(), 'aal1', ${call.userAgent}, ${call.address})
    ), claim as (
      insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
      values (gen_random_uuid(), ${id}, now(), now(), ${method})
    ), token as (
      insert into auth.refresh_tokens (token, salt, user_id, session_id, revoked, parent, created_at, updated_at)
      values (${hash}, ${salt}, ${userId}::uuid::text, ${id}, false, '', now(), now())
    ), identity as (
      update auth.identities set last_sign_in_at = now()
      where user_id = ${userId} and provider = 'email' and ${method} = 'password'
    )
    update auth.users set last_sign_in_at = now(), updated_at = now() where id = ${userId}`);
  return { id, refreshToken: token };
}

export async function sessionObject(
  { context }: Service,
  { account, session, proof }: OpenSession,
): Promise<Record<string, unknown>> {
  const signed = await signAccessToken(context, account, session.id, proof);
  return {
    access_token: signed.token,
    token_type: 'bearer',
    expires_in: signed.expiresIn,
    expires_at: signed.expiresAt,
    refresh_token: session.refreshToken,
    user: userObject(account),
  };
}
