// The 10,000 most common passwords of leaked lists (licence beside the file).
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

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
