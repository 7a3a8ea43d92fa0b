import { createHash, timingSafeEqual } from 'node:crypto';
import { generateSecret, generateURI, verify } from 'otplib';
import encodeQR from 'qr';

// TOTP (RFC 6238): SHA-1, six digits, thirty seconds, one step of tolerance.
const STEP_S = 30;
const CODE = /^\d{6}$/;

export interface Enrolment {
  /** Base32, for manual entry. */
  secret: string;
  uri: string;
  /** SVG. */
  qr_code: string;
}

/** @param issuer shown by the authenticator app; @param account name of the account */
export function enrolment(issuer: string, account: string): Enrolment {
  const secret = generateSecret();
  const uri = generateURI({ issuer, label: account, secret });
  // The client puts this into a data: URL, where # starts a fragment and % an escape. Readers need dark on light.
  const look = 'style="background:white" shape-rendering="crispEdges"';
  const svg = encodeQR(uri, 'svg', { border: 4 }).replace('<svg', `<svg ${look}`);
  return { secret, uri, qr_code: svg };
}

/**
 * @param after the last step that was used; neither that code nor an older one is accepted
 * @returns the code's step, undefined when it is wrong
 */
export async function findStep(
  secret: string,
  code: string,
  now: Date,
  after: number | undefined,
): Promise<number | undefined> {
  const token = code.replaceAll(' ', '');
  if (!CODE.test(token)) return undefined;
  const epoch = Math.floor(now.getTime() / 1000);
  const result = await verify({
    secret,
    token,
    epoch,
    epochTolerance: STEP_S,
    ...(after === undefined ? {} : { afterTimeStep: after }),
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

// Codes sent to a phone as a second factor, stored as a hash with their challenge.

/** @param challengeId salts the hash */
export function hashPhoneCode(challengeId: string, code: string): string {
  return createHash('sha256').update(`${challengeId}${code}`).digest('hex');
}

export const matchesPhoneCode = (challengeId: string, code: string, stored: string | null) =>
  Boolean(stored) && isSame(hashPhoneCode(challengeId, code.replaceAll(' ', '')), stored ?? '');

/** Compares in constant time. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
