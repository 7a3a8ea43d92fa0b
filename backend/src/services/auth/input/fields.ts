// E-mail addresses: validation and canonical form.
import { authError, errors } from '../errors.ts';

// GoTrue's pattern. ASCII only, so that look-alike mails can't create a second account.
const ADDRESS =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;
const MAX_LENGTH = 254;

/** The stored form. ASCII only: lower-casing the Kelvin sign would give a k. */
export function canonicalEmail(email: string): string {
  return email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** @returns the address as it is stored; @throws AuthError 400 if it is invalid */
export function validEmail(email: string): string {
  const canonical = canonicalEmail(email);
  if (canonical.length > MAX_LENGTH || !ADDRESS.test(canonical)) throw authError('badEmail');
  return canonical;
}

// Phone numbers (E.164).
const E164 = /^[1-9][0-9]{1,14}$/;

/** @returns the digits of a phone number; @throws AuthError 400 */
export function validPhone(phone: string): string {
  const digits = phone.trim().replace(/^\+/, '');
  if (!E164.test(digits)) throw errors.invalid('Invalid phone number format (E.164 required)');
  return digits;
}

// The size limit of metadata: every access token contains it, so it is in a header of every request.

/** Bytes of JSON, of user_metadata and of app_metadata each. */
export const METADATA_LIMIT = 16 * 1024;

export type Metadata = Record<string, unknown>;

export const countBytes = (metadata: unknown): number =>
  Buffer.byteLength(JSON.stringify(metadata));

/** @returns the first fields that fit: unlike a user, a provider can't be asked to send less */
export function withinLimit(metadata: Metadata): Metadata {
  const fitting: Metadata = {};
  let bytes = 0;
  for (const [key, value] of Object.entries(metadata)) {
    const more = countBytes({ [key]: value });
    if (bytes + more > METADATA_LIMIT) continue;
    fitting[key] = value;
    bytes += more;
  }
  return fitting;
}

// Go durations (`24h`, `1h30m`, `90s`), GoTrue's format for the length of a ban.
const UNIT_S = { h: 3600, m: 60, s: 1, ms: 0.001, us: 0.000_001, ns: 0.000_000_001 };
const PART = /(\d+(?:\.\d+)?)(h|ms|m|s|us|ns)/g;
const WHOLE = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|ns))+$/;
/** A hundred years, which still fits into any date. */
const LONGEST_S = 100 * 365 * 86_400;

/** @returns seconds; @throws AuthError 400 for anything else */
export function parseSeconds(duration: string): number {
  if (!WHOLE.test(duration)) {
    throw errors.invalid(`invalid format for ban duration: time: invalid duration "${duration}"`);
  }
  let seconds = 0;
  for (const [, amount, unit] of duration.matchAll(PART)) {
    seconds += Number(amount) * UNIT_S[unit as keyof typeof UNIT_S];
  }
  return Math.min(seconds, LONGEST_S);
}
