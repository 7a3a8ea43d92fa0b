// The account that an invitation or a sign-up link is for: made now, or waiting since an earlier one.
import type { Pool } from 'pg';
import { type Db, transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import type { Service } from '../service.ts';
import { accountByEmail } from './account.ts';
import { setPassword } from './change-account.ts';
import { createAccount, type NewAccount } from './create-account.ts';

export interface Newcomer {
  /** Canonical. */
  email: string;
  /** Not yet hashed. */
  password?: string | undefined;
  userMetadata: Record<string, unknown>;
  isByAdmin?: boolean;
}

/**
 * Takes the password of a sign-up off an account that has proved no address. Whoever set it may not be the owner of the
 * address, and must not get in with it once the owner has followed a mail of their own. What an administrator set
 * stays: nobody was asked to confirm it.
 */
export async function dropUnprovedPassword(db: Db, id: string): Promise<void> {
  await db.query(
    `update auth.users set encrypted_password = null, updated_at = now()
     where id = $1 and confirmed_at is null and confirmation_sent_at is not null and encrypted_password is not null`,
    [id],
  );
}

/**
 * The work is the same whatever is known of the address, so that time tells nothing.
 * @param isTrusted whether the password counts for a waiting account too; otherwise one that differs from the
 *   waiting one leaves the account without any
 * @returns the account's id
 * @throws AuthError 422 when the account is confirmed already
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
  const newcomer = { passwordHash, userMetadata, emailConfirmed: false, isByAdmin };
  if (known !== undefined) {
    if (known.email_confirmed_at !== null) {
      if (password !== undefined && !isTrusted) await pretend(pool, email, newcomer);
      throw refusals.emailExists();
    }
    if (passwordHash !== undefined) await setPassword(pool, known.id, passwordHash);
    return known.id;
  }
  const id = crypto.randomUUID();
  await transaction(pool, (db) => createAccount(db, { id, email, ...newcomer }));
  return id;
}

class Undone extends Error {}

/** What a new account costs, triggers of the app included; nothing of it is kept. */
async function pretend(
  pool: Pool,
  email: string,
  newcomer: Pick<NewAccount, 'passwordHash' | 'userMetadata' | 'emailConfirmed'>,
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
