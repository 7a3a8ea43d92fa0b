// E-mail addresses: validation and canonical form.
import { refusals } from '../errors/catalogue.ts';

// GoTrue's pattern. ASCII only, so that look-alike letters can't create a second account.
const ADDRESS =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;
const MAX_LENGTH = 254;

/** The stored form. ASCII only: lower-casing the Kelvin sign would give a k. */
export function canonicalEmail(email: string): string {
  return email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * @returns the address as it is stored
 * @throws AuthError 400 if it is invalid
 */
export function validEmail(email: string): string {
  const canonical = canonicalEmail(email);
  if (canonical.length > MAX_LENGTH || !ADDRESS.test(canonical)) throw refusals.badEmail();
  return canonical;
}
