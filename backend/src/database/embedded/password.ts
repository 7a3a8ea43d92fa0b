import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../../start-error.ts';

const fileIn = (dataDir: string): string => path.join(dataDir, 'keys', 'postgres-password');

/** @throws StartError when the file is missing: a new password would not open the existing database */
export async function readPassword(dataDir: string): Promise<string> {
  const file = fileIn(dataDir);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new StartError(`${file} can't be read (${error.code}). Give this account access to it.`);
  });
  const password = text.trim();
  if (password === '') {
    throw new StartError(
      `${file}, the password of the database in DATA_DIR, is missing. Restore it from a backup.`,
    );
  }
  return password;
}

/** Writes DATA_DIR/keys/postgres-password for a new database. */
export async function createPassword(dataDir: string): Promise<string> {
  const file = fileIn(dataDir);
  const password = randomBytes(24).toString('base64url');
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, password, { mode: 0o600 });
  return password;
}
