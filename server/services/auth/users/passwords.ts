// Passwords: rules, hashing and checking. bcrypt runs on the thread pool, so a sign-in never blocks other requests.
import * as bcrypt from '@node-rs/bcrypt';
import { refusals } from '../errors/catalogue.ts';

/** GoTrue's cost; about 60 ms of one core. */
const COST = 10;
/** bcrypt reads no further: a longer password would match by its beginning. */
const MAX_BYTES = 72;

export interface Weakness {
  message: string;
  reasons: string[];
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** @param hash what is stored; without one a hash is computed all the same, so that time tells nothing */
  matches(password: string, hash: string | null): Promise<boolean>;
  /** @returns what is weak about the password by the present rules, undefined if nothing */
  weakness(password: string): Weakness | undefined;
  /** @throws AuthError when the password can't be stored or is weak */
  requireGood(password: string): void;
}

/**
 * @param minimumLength characters
 * @param verify bcrypt's comparison; handed in for tests
 */
export function openPasswords(minimumLength: number, verify = bcrypt.verify): Passwords {
  // Random, so that no password matches it.
  const decoy = bcrypt.hash(crypto.randomUUID(), { cost: COST });

  const weakness = (password: string): Weakness | undefined => {
    // Counted as people count: one emoji is one character.
    if ([...password].length >= minimumLength) return undefined;
    return {
      message: `Password should be at least ${minimumLength} characters.`,
      reasons: ['length'],
    };
  };

  return {
    hash: (password) => bcrypt.hash(password, { cost: COST }),
    matches: async (password, hash) => {
      const isTooLong = Buffer.byteLength(password) > MAX_BYTES;
      const matched = await verify(isTooLong ? '' : password, hash || (await decoy));
      return matched && !isTooLong && Boolean(hash);
    },
    weakness,
    requireGood: (password) => {
      if (Buffer.byteLength(password) > MAX_BYTES) throw refusals.longPassword();
      const weak = weakness(password);
      if (weak) throw refusals.weakPassword(weak.message, weak.reasons);
    },
  };
}
