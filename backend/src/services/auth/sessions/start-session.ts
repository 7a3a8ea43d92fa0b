// Starts a session: its row, authentication method, first refresh token, and the account's last sign-in.

import type { FastifyRequest } from 'fastify';
import type { Db } from '../database.ts';
import { addressOf } from '../protection/address.ts';
import { userAgentOf } from '../protection/audit.ts';
import { firstToken } from '../tokens/refresh-token.ts';

export interface StartedSession {
  id: string;
  refreshToken: string;
}

/** @param method GoTrue's name of the authentication method, for example `password` */
export async function startSession(
  db: Db,
  request: FastifyRequest,
  userId: string,
  method: string,
): Promise<StartedSession> {
  const id = crypto.randomUUID();
  const { token, hash, salt } = firstToken();
  await db.query(
    `with session as (
       insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)
       values ($1, $2, now(), now(), 'aal1', $4, $5)
     ), claim as (
       insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
       values (gen_random_uuid(), $1, now(), now(), $3)
     ), token as (
       insert into auth.refresh_tokens (token, salt, user_id, session_id, revoked, parent, created_at, updated_at)
       values ($6, $7, $2::uuid::text, $1, false, '', now(), now())
     ), identity as (
       update auth.identities set last_sign_in_at = now()
       where user_id = $2 and provider = 'email' and $3 = 'password'
     )
     update auth.users set last_sign_in_at = now(), updated_at = now() where id = $2`,
    [id, userId, method, userAgentOf(request), addressOf(request), hash, salt],
  );
  return { id, refreshToken: token };
}
