import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readIfExists } from '../../files.ts';
import { StartError } from '../../start-error.ts';
import { type Account, type Binaries, chownTo, spawnAs, waitForExit } from './programs.ts';

/** In DATA_DIR: what becomes its database when a move to a newer PostgreSQL is complete. */
export const UPGRADING = '.upgrading';

function explain(output: string): string {
  if (/No space left on device/i.test(output)) {
    return 'The disk is full: the database could not be created. Free about 100 MB and start again.';
  }
  if (/Permission denied/i.test(output)) {
    return 'The database could not be created: permission denied in DATA_DIR. Give this account write access to it, or set DATA_DIR to another folder.';
  }
  const reason = output.trim().split('\n').filter(Boolean).at(-1) ?? 'no reason given';
  return `The database could not be created: ${reason}`;
}

/**
 * @returns the major version of the cluster, or undefined when the folder is missing or empty
 * @throws StartError when it is something else than a data directory
 */
export async function clusterVersion(dir: string): Promise<string | undefined> {
  const entries = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') return [dir];
    throw new StartError(`${dir} can't be read (${error.code}). Give this account access to it.`);
  });
  if (entries.length === 0) return undefined;
  if (entries.includes('PG_VERSION')) {
    return (await readIfExists(path.join(dir, 'PG_VERSION')))?.trim();
  }
  throw new StartError(
    `${dir} is not a PostgreSQL database. Restore it from a backup, or move it away to start with an empty database.`,
  );
}

/**
 * Runs initdb in a temporary folder and renames it when complete, so that a failure leaves nothing half done.
 * @param signal ends initdb
 */
export async function createCluster(
  binaries: Binaries,
  account: Account | undefined,
  dir: string,
  password: string,
  signal?: AbortSignal,
) {
  const parent = path.dirname(dir);
  const prefix = `${path.basename(dir)}.new`;
  // The initdb of a killed start may still be writing: it gets in nobody's way, and fails when its folder is gone.
  const abandoned = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  for (const name of abandoned) {
    await rm(path.join(parent, name), { recursive: true, force: true, maxRetries: 10 });
  }
  const unfinished = path.join(parent, `${prefix}-${process.pid}`);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const passwordFile = `${dir}.password`;
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    await chownTo(account, unfinished);
    if (account) await chown(passwordFile, account.uid, account.gid);
    const args = ['-D', unfinished, '-U', 'postgres', `--pwfile=${passwordFile}`];
    args.push(
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=icu',
      '--icu-locale=en-US',
    );
    args.push('--locale=C', '--no-instructions');
    const child = spawnAs(account, binaries.initdb, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: unfinished,
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const end = (): void => void child.kill('SIGTERM');
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    const code = await waitForExit(child).finally(() => signal?.removeEventListener('abort', end));
    signal?.throwIfAborted();
    if (code !== 0) throw new StartError(explain(output));
    await rename(unfinished, dir);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

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
