// The last step of every way to sign in: session, trail, and the answer.
import type { FastifyRequest } from 'fastify';
import { type Db, transaction } from '../database.ts';
import { audit } from '../protection/audit.ts';
import type { Service } from '../service.ts';
import { type Proof, proofOf } from '../tokens/access-token.ts';
import { type Account, accountById } from '../users/account.ts';
import { sessionObject } from './session-object.ts';
import { type StartedSession, startSession } from './start-session.ts';

/**
 * Signs the person in within one transaction.
 * @param method GoTrue's name of the proof
 * @param prepare runs first in the same transaction: creating the account, confirming it, using a code up
 * @returns the session object
 */
export async function signIn(
  service: Service,
  request: FastifyRequest,
  userId: string,
  method: string,
  prepare: (db: Db) => Promise<void> = async () => {},
): Promise<Record<string, unknown>> {
  const { account, session, proof } = await transaction(
    service.pool,
    async (db): Promise<{ account: Account; session: StartedSession; proof: Proof }> => {
      await prepare(db);
      const started = await startSession(db, request, userId, method);
      const signedIn = await accountById(db, userId);
      if (signedIn === undefined) throw new Error('The account vanished within its transaction.');
      await audit(db, request, 'login', signedIn, { method });
      return { account: signedIn, session: started, proof: await proofOf(db, started.id) };
    },
  );
  return sessionObject(service.context, account, session, proof);
}
