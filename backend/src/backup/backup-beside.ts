import path from 'node:path';
import type { ClientConfig } from 'pg';
import type { Config } from '../config.ts';
import { startCluster } from '../database/embedded/cluster.ts';
import { clusterVersion } from '../database/embedded/data-directory.ts';
import { ownerConnection } from '../database/owner-connection.ts';
import { hasTable, withClient } from '../database/with-client.ts';
import { lockDataDir } from '../instance-lock.ts';
import { openBlobs } from '../services/storage/blobs/s3.ts';
import { StartError } from '../start-error.ts';
import { type Backup, type BackupOptions, createBackup } from './create-backup.ts';

/** A backup by a command: beside the running server, or of a stopped one. @throws StartError */
export async function backupBeside(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'storageUrl'>,
  options: Pick<BackupOptions, 'place' | 'passphrase' | 'product' | 'signal'>,
): Promise<Backup> {
  return withOwner(config, async (connection) => {
    const blobs = await openBlobs(config, true);
    const { dataDir } = config;
    return createBackup({ ...options, connection, dataDir, blobs, isScheduled: false }).finally(
      () => blobs.close(),
    );
  });
}

/** Records that an archive of the running database was verified, by its name; archives of others are not recorded anywhere. */
export async function recordVerified(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  name: string,
): Promise<void> {
  const running = await runningServer(config).catch(() => undefined);
  if (running === undefined) return;
  await withClient(running, async (client) => {
    if (!(await hasTable(client, 'platform.backups'))) return;
    await client.query(
      `update platform.backups set verified_at = now() where right(file, length($1) + 1) in ('/' || $1, '\\' || $1)`,
      [name],
    );
  });
}

async function withOwner<T>(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  work: (connection: ClientConfig) => Promise<T>,
): Promise<T> {
  const running = await runningServer(config);
  if (running !== undefined) return work(running);
  const { dataDir } = config;
  if ((await clusterVersion(path.join(dataDir, 'postgres'))) === undefined) {
    throw new StartError(
      `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for npm start.`,
    );
  }
  const lock = await lockDataDir(dataDir);
  try {
    const cluster = await startCluster({ dataDir });
    return await work(cluster.connection).finally(() => cluster.stop());
  } finally {
    await lock.release();
  }
}

/** @returns undefined if the embedded PostgreSQL does not run */
async function runningServer(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
): Promise<ClientConfig | undefined> {
  if (config.databaseUrl !== undefined) return ownerConnection(config);
  try {
    const connection = await ownerConnection(config);
    await withClient(connection, async () => {});
    return connection;
  } catch {
    // A lock of DATA_DIR, and the start of PostgreSQL, tell what is wrong.
    return undefined;
  }
}
