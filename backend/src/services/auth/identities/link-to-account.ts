// Links an external identity to the signed-in user's account.
import type { FastifyRequest } from 'fastify';
import type { Db } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { audit } from '../protection/audit.ts';
import type { OutsidePerson } from '../providers/person.ts';
import type { Service } from '../service.ts';
import type { SignedIn } from '../sessions/authenticate.ts';
import { accountByEmail, accountById, hasSecondStep } from '../users/account.ts';
import { requireOwnPassword } from '../users/temporary-password.ts';
import { addIdentity, fillMetadata, lockPerson, ownerOf } from './outside-identity.ts';

/**
 * @throws AuthError 404 if linking is disabled, 422 for accounts of a SAML provider, 403 without the second factor or with a
 *   temporary password
 */
export function requireLinkingAllowed(service: Service, { account, aal }: SignedIn): void {
  if (!service.context.settings.auth.enable_manual_linking) throw refusals.manualLinkingOff();
  if (account.is_sso_user) throw refusals.ssoManaged();
  if (hasSecondStep(account) && aal === 'aal1') throw refusals.secondStepToLink();
  requireOwnPassword(account);
}

/** @throws AuthError 422 if the identity is linked already */
export async function linkToAccount(
  db: Db,
  request: FastifyRequest,
  userId: string,
  person: OutsidePerson,
): Promise<void> {
  await lockPerson(db, person);
  const owner = await ownerOf(db, person);
  if (owner !== undefined) throw refusals.identityLinked(owner === userId);
  const account = await accountById(db, userId);
  if (account === undefined || account.deleted_at !== null) throw refusals.userGone();
  requireOwnPassword(account);
  await addIdentity(db, userId, person);
  await fillMetadata(db, userId, person);
  if (account.email === '') await takeAddress(db, userId, person);
  await audit(db, request, 'identity_linked', account, { provider: person.provider });
}

/** Converts an anonymous account to a permanent one; takes over a verified address. @throws AuthError 422 if it is taken */
async function takeAddress(db: Db, userId: string, person: OutsidePerson): Promise<void> {
  const email = person.emailVerified ? person.email : undefined;
  if (email !== undefined && (await accountByEmail(db, email))) throw refusals.emailExists();
  await db.query(
    `update auth.users set is_anonymous = false, email = coalesce($2, email),
       email_confirmed_at = case when $2::text is null then email_confirmed_at else now() end, updated_at = now()
     where id = $1`,
    [userId, email ?? null],
  );
}
