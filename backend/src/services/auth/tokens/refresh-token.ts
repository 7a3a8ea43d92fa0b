// Refresh tokens. Only hashes are stored, yet a client that lost a reply must get the same token again:
// each token is made from its parent, which the client holds, and a salt, which only the database holds.
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** 120 bits as five-bit letters: nothing to guess. */
const LENGTH = 24;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const SHAPE = /^[a-z2-7]{12,64}$/;

export interface RefreshToken {
  /** What the client keeps. */
  token: string;
  /** What the database keeps. */
  hash: string;
  salt: Buffer;
}

function letters(bytes: Buffer): string {
  return [...bytes.subarray(0, LENGTH)].map((byte) => LETTERS[byte & 31]).join('');
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function hasTokenShape(token: string): boolean {
  return SHAPE.test(token);
}

export function firstToken(): RefreshToken {
  const salt = randomBytes(32);
  const token = letters(randomBytes(LENGTH));
  return { token, hash: hashOf(token), salt };
}

/**
 * The token that follows `parent`. With the stored salt the same one as before; a thief who holds only an old
 * token, or only the database, can't make it.
 */
export function nextToken(parent: string, salt: Buffer = randomBytes(32)): RefreshToken {
  const token = letters(createHmac('sha256', salt).update(parent).digest());
  return { token, hash: hashOf(token), salt };
}
