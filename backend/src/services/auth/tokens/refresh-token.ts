// Refresh tokens. Only hashes are stored, but a client that lost a response must get the same token again: each token is derived
// from its parent, known to the client, and a salt, known to the database.
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** 120 random bits in base32. */
const LENGTH = 24;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const SHAPE = /^[a-z2-7]{12,64}$/;

export interface RefreshToken {
  /** For the client. */
  token: string;
  /** For the database. */
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
 * The successor of `parent`; with the stored salt the same as before. An old token alone, or the database alone, is not enough
 * to compute it.
 */
export function nextToken(parent: string, salt: Buffer = randomBytes(32)): RefreshToken {
  const token = letters(createHmac('sha256', salt).update(parent).digest());
  return { token, hash: hashOf(token), salt };
}
