// Replay protection: the ID of an assertion is stored until the assertion expires.
import type { Db } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';

/** @param expiresAt of the assertion; @throws AuthError if it was used before */
export async function useAssertion(
  db: Db,
  providerId: string,
  assertionId: string,
  expiresAt: Date,
): Promise<void> {
  await db.query(
    `delete from auth.saml_used_assertions where (sso_provider_id, assertion_id) in (
       select sso_provider_id, assertion_id from auth.saml_used_assertions where expires_at < now()
       limit 50 for update skip locked)`,
  );
  const { rowCount } = await db.query(
    `insert into auth.saml_used_assertions (sso_provider_id, assertion_id, expires_at) values ($1, $2, $3)
     on conflict do nothing`,
    [providerId, assertionId, expiresAt],
  );
  if (rowCount !== 1) throw refusals.badAssertion(new Error('The assertion was used before.'));
}
