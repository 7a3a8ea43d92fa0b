// Codes sent to a phone as a second factor, stored as a hash with their challenge.
import { createHash, timingSafeEqual } from 'node:crypto';

/** @param challengeId salts the hash */
export function hashPhoneCode(challengeId: string, code: string): string {
  return createHash('sha256').update(`${challengeId}${code}`).digest('hex');
}

export function matchesPhoneCode(challengeId: string, code: string, kept: string | null): boolean {
  if (!kept) return false;
  const given = Buffer.from(hashPhoneCode(challengeId, code.replaceAll(' ', '')));
  const wanted = Buffer.from(kept);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
