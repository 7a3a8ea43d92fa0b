import { type Db, sql } from '../database.ts';
import { areSignupsOpen } from '../endpoints/sign-up.ts';
import { authError, errors } from '../errors.ts';
import { requireOwnPassword } from '../passwords/change-password.ts';
import { audit } from '../protection/audit.ts';
import type { ProviderUser } from '../providers/provider.ts';
import type { Call, Service } from '../service.ts';
import type { SignedIn } from '../sessions/authenticate.ts';
import {
  type Account,
  accountByEmail,
  accountById,
  hasSecondStep,
  requireAccount,
} from '../users/account.ts';
import { confirmEmail } from '../users/change-account.ts';
import {
  addIdentity,
  createProviderAccount,
  dropUnproved,
  fillMetadata,
  findOwner,
  lockPerson,
  touchIdentity,
} from './identity.ts';

export interface Found {
  userId: string;
  /** Set if a mail must confirm the address before anyone may sign in. */
  toConfirm: string | undefined;
}

/**
 * @param mayLackEmail whether a new account needs no e-mail address
 * @throws AuthError 422 if sign-ups are closed, or the address is missing or taken
 */
export async function findAccount(
  call: Call,
  db: Db,
  person: ProviderUser,
  mayLackEmail: boolean,
): Promise<Found> {
  await lockPerson(db, person);
  const owner = await findOwner(db, person);
  if (owner !== undefined) return known(call, db, owner, person);

  const account = await accountOfAddress(db, person);
  if (account !== undefined) {
    if (!person.emailVerified) throw errors.providerEmailUnverified(person.provider, false);
    await link(db, call, account, person);
    return { userId: account.id, toConfirm: undefined };
  }
  if (!areSignupsOpen(call)) throw authError('signupDisabled');
  if (person.email === undefined && !mayLackEmail) throw authError('providerGaveNoEmail');
  const userId = await createProviderAccount(db, person);
  const actor = {
    id: userId,
    is_sso_user: person.isSso,
    ...(person.email === undefined ? {} : { email: person.email }),
  };
  await audit(db, call, 'user_signedup', actor, { provider: person.provider });
  return { userId, toConfirm: toConfirm(call, person) };
}

/** Accounts of a SAML provider are not found by address, and its users don't look for one by address. */
async function accountOfAddress(db: Db, { email, isSso }: ProviderUser) {
  return email === undefined || isSso ? undefined : accountByEmail(db, email);
}

/** Without confirmations no mail is sent; the address stays unconfirmed. */
function toConfirm({ context }: Service, person: ProviderUser): string | undefined {
  const { enable_confirmations: isOn } = context.settings.auth.email;
  return isOn && !person.emailVerified ? person.email : undefined;
}

async function known(
  service: Service,
  db: Db,
  userId: string,
  person: ProviderUser,
): Promise<Found> {
  await touchIdentity(db, person);
  const account = await requireAccount(db, userId, 'userGone');
  await fillMetadata(db, userId, person);
  const isUnconfirmed = account.email !== '' && account.email_confirmed_at === null;
  if (isUnconfirmed && person.email === account.email) {
    if (!person.emailVerified) return { userId, toConfirm: toConfirm(service, person) };
    await dropUnproved(db, userId, person);
    await confirmEmail(db, userId);
  }
  return { userId, toConfirm: undefined };
}

async function link(db: Db, call: Call, account: Account, person: ProviderUser): Promise<void> {
  const isUnproved = account.email_confirmed_at === null;
  if (isUnproved) await dropUnproved(db, account.id, person);
  await addIdentity(db, account.id, person);
  if (isUnproved) await confirmEmail(db, account.id);
  else await fillMetadata(db, account.id, person);
  await audit(db, call, 'identity_linked', account, { provider: person.provider });
}

// Links an external identity to the signed-in user's account.

/**
 * @throws AuthError 404 if linking is disabled, 422 for accounts of a SAML provider, 403 without the second factor or with a
 *   temporary password
 */
export function requireLinkingAllowed(service: Service, { account, aal }: SignedIn): void {
  if (!service.context.settings.auth.enable_manual_linking) throw authError('manualLinkingOff');
  if (account.is_sso_user) throw authError('ssoManaged');
  if (hasSecondStep(account) && aal === 'aal1') throw authError('secondStepToLink');
  requireOwnPassword(account);
}

/** @throws AuthError 422 if the identity is linked already */
export async function linkToAccount(
  db: Db,
  call: Call,
  userId: string,
  person: ProviderUser,
): Promise<void> {
  await lockPerson(db, person);
  const owner = await findOwner(db, person);
  if (owner !== undefined) throw authError(owner === userId ? 'identityLinked' : 'identityTaken');
  const account = await accountById(db, userId);
  if (account === undefined || account.deleted_at !== null) throw authError('userGone');
  requireOwnPassword(account);
  await addIdentity(db, userId, person);
  await fillMetadata(db, userId, person);
  if (account.email === '') await takeAddress(db, userId, person);
  await audit(db, call, 'identity_linked', account, { provider: person.provider });
}

/** Converts an anonymous account to a permanent one; takes over a verified address. @throws AuthError 422 if it is taken */
async function takeAddress(db: Db, userId: string, person: ProviderUser): Promise<void> {
  const email = person.emailVerified ? person.email : undefined;
  if (email !== undefined && (await accountByEmail(db, email))) throw authError('emailExists');
  await db.query(sql`
    update auth.users set is_anonymous = false, email = coalesce(${email}, email),
      email_confirmed_at = case when ${email}::text is null then email_confirmed_at else now() end,
      updated_at = now()
    where id = ${userId}`);
}
