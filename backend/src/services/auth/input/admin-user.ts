// The fields of an account that an administrator may set when creating or changing it.
import { z } from 'zod';
import { refusals } from '../errors/catalogue.ts';
import type { Service } from '../service.ts';
import { secondsOf } from './duration.ts';
import { metadata, text } from './json.ts';

const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

export const AdminUser = z.object({
  id: text,
  aud: text,
  role: text,
  email: text,
  phone: text,
  password: text,
  password_hash: text,
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: metadata,
  app_metadata: metadata,
  ban_duration: text,
});
export type AdminUser = z.output<typeof AdminUser>;

const BCRYPT = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** Minimum length of a temporary password, which others may have seen. */
const TEMPORARY_LENGTH = 8;

/** @returns the hash to store, undefined without a password */
export async function passwordHashOf(
  { passwords }: Service,
  { password, password_hash: given, app_metadata: appMetadata }: AdminUser,
): Promise<string | undefined> {
  if (password !== '' && given !== '') {
    throw refusals.invalid('Only a password or a password hash should be provided');
  }
  if (given !== '') {
    if (!BCRYPT.test(given)) throw refusals.invalid('The password hash must be a bcrypt hash');
    return given;
  }
  if (password === '') return undefined;
  const isTemporary = appMetadata?.must_change_password === true;
  passwords.requireGood(password, isTemporary ? TEMPORARY_LENGTH : undefined);
  return passwords.hash(password);
}

/** @returns seconds of a ban, 0 to lift it, undefined to keep it; @throws AuthError 400 */
export function banSecondsOf({ ban_duration: duration }: AdminUser): number | undefined {
  if (duration === '') return undefined;
  return duration === 'none' ? 0 : secondsOf(duration);
}
