// An administrator knows the temporary password, so a sign-in with it does not prove the owner: `must_change_password` in
// app_metadata, until the owner chooses another.
import type { FastifyRequest } from 'fastify';
import type { Db } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { audit } from '../protection/audit.ts';
import { removeFactor } from '../sessions/raise-session.ts';
import type { Account } from './account.ts';

export function hasTemporaryPassword({ app_metadata: metadata }: Account): boolean {
  return metadata.must_change_password === true;
}

/** Checked before a way to sign in is added. @throws AuthError 403 */
export function requireOwnPassword(account: Account): void {
  if (hasTemporaryPassword(account)) throw refusals.ownPasswordFirst();
}

/** Removes factors and passkeys that were added before the owner's own password. */
export async function dropEarlierProofs(
  db: Db,
  request: FastifyRequest,
  account: Account,
): Promise<void> {
  for (const factor of account.factors) {
    await removeFactor(db, factor);
    await audit(db, request, 'factor_deleted', account, { factor_id: factor.id });
  }
  const { rows } = await db.query<{ id: string }>(
    'delete from auth.webauthn_credentials where user_id = $1 returning id',
    [account.id],
  );
  for (const { id } of rows) {
    await audit(db, request, 'passkey_removed', account, { passkey_id: id });
  }
  await db.query(
    `with challenges as (delete from auth.webauthn_challenges where user_id = $1)
     delete from auth.flow_state where linking_target_id = $1`,
    [account.id],
  );
}
