// Fills an empty DATA_DIR, and the database at DATABASE_URL if there is one, from an archive.
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { ClientConfig } from 'pg';
import type { Config } from '../config.ts';
import { startCluster } from '../database/embedded/cluster.ts';
import { connectionFromUrl } from '../database/owner-connection.ts';
import { findApplied, type SchemaFiles } from '../database/prepare.ts';
import { hasTable, withClient } from '../database/with-client.ts';
import { LOCK_FILE, lockDataDir } from '../instance-lock.ts';
import { openBlobs } from '../services/storage/blobs/s3.ts';
import { StartError } from '../start-error.ts';
import { explain } from './explain.ts';
import { loadArchive } from './load-archive.ts';
import { type ArchiveOptions, withLocalArchive } from './local-archive.ts';
import { type Archive, checkArchive, type Manifest } from './read-archive.ts';

/** In DATA_DIR, so that finished folders are moved on the same disk. */
const UNFINISHED = '.restoring';

export interface RestoreOptions extends ArchiveOptions {
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'projectDir' | 'storageUrl'>;
  /** Absolute path of `backend/src`. */
  sourceDir: string;
}

/** @throws StartError; an interrupted restore leaves a DATA_DIR that is still empty for the next one */
export async function restoreArchive(options: RestoreOptions): Promise<Manifest> {
  const { config, sourceDir, product, progress, signal } = options;
  const { dataDir, projectDir } = config;
  return explain(dataDir, () =>
    intoEmpty(dataDir, (folder) =>
      withLocalArchive(options, folder, async (archive) => {
        progress('Checking the archive');
        const manifest = await checkArchive(archive, product, signal);
        const files = await findApplied({ sourceDir, projectDir }, manifest.applied);
        await restore(options, archive, files, folder);
        return manifest;
      }),
    ),
  );
}

/**
 * Fills an empty DATA_DIR with what `work` puts into a folder, as the last step.
 * @throws StartError if it is filled or in use; DATA_DIR is still empty when `work` throws
 */
export async function intoEmpty<T>(
  dataDir: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const isNew = await refuseFilled(dataDir);
  const lock = await lockDataDir(dataDir);
  let isFilled = false;
  const folder = path.join(dataDir, UNFINISHED);
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    const result = await work(folder);
    // The database last: without it DATA_DIR counts as new.
    const names = (await readdir(folder)).sort((a, b) => rank(a) - rank(b));
    for (const name of names) await rename(path.join(folder, name), path.join(dataDir, name));
    isFilled = true;
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await lock.release();
    // It stays if something was moved there.
    if (isNew && !isFilled) await rmdir(dataDir).catch(() => {});
  }
}

/** @returns whether it does not exist yet @throws StartError */
async function refuseFilled(dataDir: string): Promise<boolean> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (names === undefined) return true;
  // A killed server or restore leaves these.
  const data = names.filter((name) => name !== UNFINISHED && name !== LOCK_FILE);
  if (data.length === 0) return false;
  throw new StartError(
    `${dataDir} (DATA_DIR) is not empty, and a restore overwrites nothing. Stop the server and set the folder aside, for example: mv ${dataDir} ${dataDir}-set-aside. Then restore again.`,
  );
}

async function restore(
  { config, progress, signal }: RestoreOptions,
  archive: Archive,
  files: SchemaFiles,
  folder: string,
): Promise<void> {
  const { databaseUrl, storageUrl } = config;
  const blobs = await openBlobs({ dataDir: folder, storageUrl });
  const load = (connection: ClientConfig): Promise<void> =>
    loadArchive(archive, { connection, blobs, folder }, files, signal);
  try {
    progress('Restoring');
    if (databaseUrl === undefined) await withCluster(folder, load);
    else await loadExternal(databaseUrl, load);
  } finally {
    await blobs.close();
  }
}

const rank = (name: string): number => (name === 'postgres' ? 1 : 0);

/** Starts PostgreSQL in the folder while `work` runs. */
export async function withCluster(
  folder: string,
  work: (connection: ClientConfig) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const bulk = { synchronous_commit: 'off', max_wal_size: '4GB', ...settings };
  const cluster = await startCluster({ dataDir: folder, settings: bulk });
  try {
    await work(cluster.connection);
  } finally {
    await cluster.stop();
  }
}

async function loadExternal(
  url: string,
  load: (connection: ClientConfig) => Promise<void>,
): Promise<void> {
  const connection = await connectionFromUrl(url);
  const isUsed = await withClient(connection, async (client) => {
    // Fails before anything is written, if the account may not do this.
    await client.query('set session_replication_role to replica');
    return hasTable(client, 'platform.schema_migrations');
  });
  if (isUsed) {
    throw new StartError(
      'The database at DATABASE_URL is not empty, and a restore overwrites nothing. Create an empty database and name it in DATABASE_URL.',
    );
  }
  try {
    await load(connection);
  } catch (error) {
    throw new StartError(
      `The restore into the database at DATABASE_URL was not finished: ${(error as Error).message} Drop that database and create it again before the next try.`,
      { cause: error },
    );
  }
}
