// Phone numbers (E.164).
import { refusals } from '../errors/catalogue.ts';

const E164 = /^[1-9][0-9]{1,14}$/;

/** @returns the digits of a phone number; @throws AuthError 400 */
export function validPhone(phone: string): string {
  const digits = phone.trim().replace(/^\+/, '');
  if (!E164.test(digits)) throw refusals.invalid('Invalid phone number format (E.164 required)');
  return digits;
}
