// Password rules, hashing and checking. bcrypt runs in worker threads, so a sign-in never blocks other requests.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { authError, errors } from '../errors.ts';
import * as bcrypt from './bcrypt-pool.ts';

/** GoTrue's bcrypt cost; about 60 ms of one core. */
const COST = 10;
/** bcrypt ignores further bytes: a longer password would match by its prefix. */
const MAX_BYTES = 72;
const COMMON = 'Password is known to be weak and easy to guess, please choose a different one.';

export interface Weakness {
  message: string;
  reasons: string[];
}

export type Passwords = ReturnType<typeof openPasswords>;

/** @param minimumLength characters; @param verify bcrypt's comparison; replaced in tests */
export function openPasswords(minimumLength: number, isCommon: IsCommon, verify = bcrypt.verify) {
  // Random, so that no password matches.
  const decoy = bcrypt.hash(crypto.randomUUID(), COST);

  const shortness = (password: string, atLeast = minimumLength): Weakness | undefined => {
    const least = Math.max(atLeast, minimumLength);
    // Code points: one emoji is one character.
    if ([...password].length >= least) return undefined;
    return { message: `Password should be at least ${least} characters.`, reasons: ['length'] };
  };
  const commonness = (password: string): Weakness | undefined =>
    isCommon(password) ? { message: COMMON, reasons: ['pwned'] } : undefined;
  const refuse = (weak: Weakness | undefined): void => {
    if (weak) throw errors.weakPassword(weak.message, weak.reasons);
  };
  /** @param atLeast characters, if more than the usual minimum; @throws AuthError if it is too long or too short */
  const requireLength = (password: string, atLeast?: number): void => {
    if (Buffer.byteLength(password) > MAX_BYTES) throw authError('longPassword');
    refuse(shortness(password, atLeast));
  };

  return {
    hash: (password: string) => bcrypt.hash(password, COST),
    /** @param hash the stored one; without it one is computed anyway, so that the time is the same */
    matches: async (password: string, hash: string | null): Promise<boolean> => {
      const isTooLong = Buffer.byteLength(password) > MAX_BYTES;
      const matched = await verify(isTooLong ? '' : password, hash || (await decoy));
      return matched && !isTooLong && Boolean(hash);
    },
    /** By the current rules. */
    weakness: (password: string) => shortness(password) ?? commonness(password),
    requireLength,
    /** As `requireLength`; @throws AuthError also for a common password */
    requireGood: (password: string, atLeast?: number): void => {
      requireLength(password, atLeast);
      refuse(commonness(password));
    },
  };
}

// The 10,000 most common passwords of leaked lists (licence beside the file).
export type IsCommon = (password: string) => boolean;

/**
 * @param sourceDir absolute path of `backend/src`
 * @returns whether a password is on the list, ignoring case
 */
export async function readCommonPasswords(sourceDir: string): Promise<IsCommon> {
  const file = path.join(sourceDir, 'services', 'auth', 'passwords', 'common-passwords.txt.gz');
  const text = await promisify(gunzip)(await readFile(file));
  const known = new Set(text.toString('utf8').trimEnd().split('\n'));
  return (password) => known.has(password.trim().toLowerCase());
}
