// Fills an empty DATA_DIR, and the database at DATABASE_URL if there is one, from an archive.
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
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
import { type Archive, checkArchive, type Manifest } from './read-archive.ts';

/** In DATA_DIR, so that finished folders are moved on the same disk. */
const UNFINISHED = '.restoring';

export interface RestoreOptions {
  archive: Archive;
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'projectDir' | 'storageUrl'>;
  /** Absolute path of `backend/src`. */
  sourceDir: string;
  product: { name: string; version: string };
  progress: (message: string) => void;
  /** Ends it; nothing half done is left. */
  signal: AbortSignal;
}

/** @throws StartError; an interrupted restore leaves a DATA_DIR that is still empty for the next one */
export async function restoreArchive(options: RestoreOptions): Promise<Manifest> {
  const { archive, config, sourceDir, product, progress, signal } = options;
  const { dataDir } = config;
  return explain(dataDir, async () => {
    progress('Checking the archive');
    const manifest = await checkArchive(archive, product, signal);
    const files = await findApplied({ sourceDir, projectDir: config.projectDir }, manifest.applied);
    await intoEmpty(dataDir, (folder) => restore(options, files, folder));
    return manifest;
  });
}

/**
 * Fills an empty DATA_DIR with what `work` puts into a folder, as the last step.
 * @throws StartError if it is filled or in use; DATA_DIR is still empty when `work` throws
 */
export async function intoEmpty(
  dataDir: string,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  await refuseFilled(dataDir);
  const unlock = await lockDataDir(dataDir);
  const folder = path.join(dataDir, UNFINISHED);
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    await work(folder);
    // The database last: without it DATA_DIR counts as new.
    const names = (await readdir(folder)).sort((a, b) => rank(a) - rank(b));
    for (const name of names) await rename(path.join(folder, name), path.join(dataDir, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
    await unlock();
  }
}

async function refuseFilled(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  // A killed server or restore leaves these.
  const data = names.filter((name) => name !== UNFINISHED && name !== LOCK_FILE);
  if (data.length === 0) return;
  throw new StartError(
    `${dataDir} (DATA_DIR) is not empty, and a restore overwrites nothing. Stop the server and set the folder aside, for example: mv ${dataDir} ${dataDir}-set-aside. Then restore again.`,
  );
}

async function restore(
  { archive, config, progress, signal }: RestoreOptions,
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
