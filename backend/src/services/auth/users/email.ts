// What counts as an e-mail address, and when two of them are one.
import { refusals } from '../errors/catalogue.ts';

// GoTrue's pattern. ASCII only, so no look-alike letters can make a second account for one reader's eye.
const ADDRESS =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;
const MAX_LENGTH = 254;

/** The form in which addresses are stored and compared. ASCII only: the Kelvin sign in lower case would be a k. */
export function canonicalEmail(email: string): string {
  return email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * @returns the address as it is stored
 * @throws AuthError 400 when it is no address
 */
export function validEmail(email: string): string {
  const canonical = canonicalEmail(email);
  if (canonical.length > MAX_LENGTH || !ADDRESS.test(canonical)) throw refusals.badEmail();
  return canonical;
}
