import { audit } from '../protection/audit.ts';

// Creates an account with its identities. Triggers on auth.users run in the same transaction.

import type { Pool } from 'pg';
import { type Db, sql, transaction } from '../database.ts';
import { authError } from '../errors.ts';
import type { Call, Service } from '../service.ts';
import { accountByEmail } from './account.ts';
import { setPassword, throwTaken } from './change-account.ts';

export interface NewAccount {
  id: string;
  /** Canonical; without it and without a phone number the account is anonymous. */
  email?: string | undefined;
  /** E.164 digits. */
  phone?: string | undefined;
  passwordHash?: string | undefined;
  userMetadata: Record<string, unknown>;
  appMetadata?: Record<string, unknown> | undefined;
  emailConfirmed?: boolean;
  phoneConfirmed?: boolean;
  role?: string;
  aud?: string;
  /** Whether an administrator creates it: metadata is then stored unchanged, as in GoTrue. */
  isByAdmin?: boolean;
}

/**
 * Inserts the account and an identity for each of its addresses.
 * @throws AuthError 422 if an address has an account already
 */
export async function createAccount(db: Db, account: NewAccount): Promise<void> {
  const { id, email, phone, emailConfirmed = false, phoneConfirmed = false } = account;
  const providers = [...(email ? ['email'] : []), ...(phone ? ['phone'] : [])];
  const facts = {
    sub: id,
    ...(email ? { email } : {}),
    ...(phone ? { phone } : {}),
    email_verified: emailConfirmed,
    phone_verified: phoneConfirmed,
  };
  const isAnonymous = providers.length === 0;
  const identityData = JSON.stringify({ ...account.userMetadata, ...facts });
  const metadata = JSON.stringify({
    ...account.userMetadata,
    ...(isAnonymous || account.isByAdmin ? {} : facts),
    ...(account.isByAdmin && emailConfirmed ? { email_verified: true } : {}),
    ...(account.isByAdmin && phoneConfirmed ? { phone_verified: true } : {}),
  });
  const named = isAnonymous ? {} : { provider: providers[0], providers };
  const changed = db.query(sql`
    insert into auth.users (id, instance_id, aud, role, email, phone, encrypted_password,
      email_confirmed_at, phone_confirmed_at, raw_app_meta_data, raw_user_meta_data, is_anonymous,
      created_at, updated_at)
    values (${id}, '00000000-0000-0000-0000-000000000000', ${account.aud || 'authenticated'},
      ${account.role || 'authenticated'}, ${email}, ${phone}, ${account.passwordHash},
      case when ${Boolean(email) && emailConfirmed}::boolean then now() end,
      case when ${Boolean(phone) && phoneConfirmed}::boolean then now() end,
      ${JSON.stringify({ ...account.appMetadata, ...named })}, ${metadata}, ${isAnonymous}, now(), now())`);
  await changed.catch(throwTaken);
  await db.query(sql`
    insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
    select ${id}::text, ${id}::uuid, ${identityData}, provider, now(), now()
    from unnest(${providers}::text[]) as provider`);
}

/** Creates the account of a sign-up, and audits it. @returns its id */
export async function register(
  db: Db,
  call: Call,
  { id = crypto.randomUUID(), ...account }: Omit<NewAccount, 'id'> & { id?: string | undefined },
): Promise<string> {
  await createAccount(db, { id, ...account });
  await audit(db, call, 'user_signedup', { id, email: account.email });
  return id;
}

// The account of an invitation or a sign-up that is not confirmed yet: a new one, or one from an earlier attempt.
export interface Newcomer {
  /** Canonical. */
  email: string;
  password?: string | undefined;
  userMetadata: Record<string, unknown>;
  isByAdmin?: boolean;
}

/**
 * Removes the password of a sign-up whose address is unconfirmed. It may have been set by someone who does not own the
 * address, and must not work once the owner has confirmed it by another mail. Passwords set by an administrator stay.
 */
export const dropUnprovedPassword = (db: Db, id: string) =>
  db.query(sql`
    update auth.users set encrypted_password = null, updated_at = now()
    where id = ${id} and confirmed_at is null and confirmation_sent_at is not null
      and encrypted_password is not null`);

/**
 * Takes the same time whether or not the address is known.
 * @param isTrusted whether the password applies to an existing unconfirmed account too; otherwise a different password leaves that
 *   account without any
 * @returns the account's id
 * @throws AuthError 422 if the account is confirmed already
 */
export async function unconfirmedAccount(
  service: Service,
  { email, password, userMetadata, isByAdmin = false }: Newcomer,
  isTrusted = false,
): Promise<string> {
  const { pool, passwords } = service;
  const known = await accountByEmail(pool, email);
  if (known !== undefined && known.email_confirmed_at === null && !isTrusted) {
    const isSame =
      password !== undefined && (await passwords.matches(password, known.password_hash));
    if (!isSame) await dropUnprovedPassword(pool, known.id);
    return known.id;
  }
  const passwordHash = password === undefined ? undefined : await passwords.hash(password);
  const newcomer = { passwordHash, userMetadata, isByAdmin };
  if (known !== undefined) {
    if (known.email_confirmed_at !== null) {
      if (password !== undefined && !isTrusted) await pretend(pool, email, newcomer);
      throw authError('emailExists');
    }
    if (passwordHash !== undefined) await setPassword(pool, known.id, passwordHash);
    return known.id;
  }
  const id = crypto.randomUUID();
  await transaction(pool, (db) => createAccount(db, { id, email, ...newcomer }));
  return id;
}

class Undone extends Error {}

/** Does the work of a new account, including triggers of the project, and rolls it back. */
async function pretend(
  pool: Pool,
  email: string,
  newcomer: Pick<NewAccount, 'passwordHash' | 'userMetadata'>,
): Promise<void> {
  const id = crypto.randomUUID();
  const nobody = email.replace(/^.*@/, `${id}@`);
  await transaction(pool, async (db) => {
    await createAccount(db, { id, email: nobody, ...newcomer });
    throw new Undone();
  }).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
}
