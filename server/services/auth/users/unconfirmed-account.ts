// The account that an invitation or a sign-up link is for: made now, or waiting since an earlier one.
import { transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import type { Service } from '../service.ts';
import { accountByEmail } from './account.ts';
import { createAccount } from './create-account.ts';

/**
 * @param email canonical
 * @param passwordHash of a new account; an older one keeps what it has
 * @returns the account's id
 * @throws AuthError 422 when the account is confirmed already
 */
export async function unconfirmedAccount(
  service: Service,
  email: string,
  userMetadata: Record<string, unknown>,
  passwordHash?: string,
): Promise<string> {
  const known = await accountByEmail(service.pool, email);
  if (known !== undefined) {
    if (known.email_confirmed_at !== null) throw refusals.emailExists();
    return known.id;
  }
  const id = crypto.randomUUID();
  await transaction(service.pool, (db) =>
    createAccount(db, { id, email, passwordHash, userMetadata, emailConfirmed: false }),
  );
  return id;
}
