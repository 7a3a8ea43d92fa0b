// The last step of every sign-in: session, audit log and response.
import type { FastifyRequest } from 'fastify';
import { type Db, transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { audit } from '../protection/audit.ts';
import { rememberDevice } from '../protection/new-device.ts';
import type { Service } from '../service.ts';
import { type Proof, proofOf } from '../tokens/access-token.ts';
import { type Account, accountById } from '../users/account.ts';
import { sessionObject } from './session-object.ts';
import { type StartedSession, startSession } from './start-session.ts';

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
  request: FastifyRequest,
  userId: string,
  method: string,
): Promise<OpenSession> {
  const session = await startSession(db, request, userId, method);
  const account = await accountById(db, userId);
  if (account === undefined) throw refusals.userGone();
  if (account.is_banned) throw refusals.banned(403);
  await audit(db, request, 'login', account, { method });
  await rememberDevice(db, request, account);
  return { account, session, proof: await proofOf(db, session.id) };
}

/**
 * Signs a user in within one transaction.
 * @param prepare runs first in the same transaction and returns the account: creates it, or consumes a code
 * @returns the session object
 */
export async function signIn(
  service: Service,
  request: FastifyRequest,
  method: string,
  prepare: (db: Db) => Promise<string>,
): Promise<Record<string, unknown>> {
  const { account, session, proof } = await transaction(service.pool, async (db) =>
    openSession(db, request, await prepare(db), method),
  );
  return sessionObject(service.context, account, session, proof);
}
