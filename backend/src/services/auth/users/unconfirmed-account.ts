// The account of an invitation or a sign-up that is not confirmed yet: a new one, or one from an earlier attempt.
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
  /** Plain text. */
  password?: string | undefined;
  userMetadata: Record<string, unknown>;
  isByAdmin?: boolean;
}

/**
 * Removes the password of a sign-up whose address is unconfirmed. It may have been set by someone who does not own the
 * address, and must not work once the owner has confirmed it by another mail. Passwords set by an administrator stay.
 */
export async function dropUnprovedPassword(db: Db, id: string): Promise<void> {
  await db.query(
    `update auth.users set encrypted_password = null, updated_at = now()
     where id = $1 and confirmed_at is null and confirmation_sent_at is not null and encrypted_password is not null`,
    [id],
  );
}

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

/** Does the work of a new account, including triggers of the project, and rolls it back. */
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
