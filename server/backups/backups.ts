// Backups on a schedule: of several processes one makes each.
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify';
import type { Pool } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { type BackupOptions, BackupRunning, createBackup } from 'supabase-in-node/create-backup';
import { Rounds } from 'supabase-in-node/rounds';
import { StartError } from 'supabase-in-node/start-error';
import { openWal, releaseWal, type SavedWal } from 'supabase-in-node/wal';
import type { AppConfig, BackupSettings } from '../config.ts';
import { readProduct } from './product.ts';
import { rememberSaving } from './saved-changes.ts';

/** How often a process checks whether a backup is due. */
const LOOK_MS = 60_000;
/** After a full disk or a database error. */
const AGAIN_MS = 15 * 60_000;

export function backups(config: AppConfig, context: Context): FastifyPluginAsync {
  return async (app) => {
    const { schedule } = config;
    if (!schedule?.savesWal && config.databaseUrl === undefined) {
      await releaseWal(context.database.owner);
    }
    if (schedule === undefined) return;
    const stopping = new AbortController();
    const wal = schedule.savesWal ? await saveWal(config, schedule, context, app.log) : undefined;
    if (wal) rememberSaving(context, wal);
    const work = async (): Promise<void> => {
      await backUpIfDue(config, schedule, context, stopping.signal);
      await wal?.baseIfDue(stopping.signal);
    };
    const rounds = new Rounds(work, {
      everyMs: LOOK_MS,
      afterErrorMs: AGAIN_MS,
      onError: (error) => {
        // Another process of this company makes it.
        if (stopping.signal.aborted || error instanceof BackupRunning) return;
        app.log.error({ err: error }, 'no backup was made');
      },
    });
    app.addHook('onReady', async () => {
      wal?.start();
      rounds.start(0);
    });
    app.addHook('onClose', async () => {
      stopping.abort();
      await rounds.stop();
      await wal?.stop();
    });
  };
}

async function saveWal(
  { rootDir, dataDir }: AppConfig,
  { folder, everyHours, keep, passphrase }: BackupSettings,
  { database, blobs }: Context,
  log: FastifyBaseLogger,
): Promise<SavedWal> {
  return openWal({
    ...{ dataDir, blobs, passphrase, everyHours, keep },
    owner: database.owner,
    connection: database.ownerConnection,
    product: await readProduct(rootDir),
    backups: folder,
    onError: (error) =>
      log.error({ err: error }, 'changes are not saved for a restore to a point in time'),
  });
}

async function backUpIfDue(
  { rootDir, dataDir }: AppConfig,
  { folder, everyHours, keep, passphrase }: BackupSettings,
  { database, blobs }: Context,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isDue(database.owner, everyHours))) return;
  const product = await readProduct(rootDir);
  await createBackup({
    connection: database.ownerConnection,
    dataDir,
    blobs,
    folder,
    passphrase,
    product,
    isScheduled: true,
    signal,
  });
  await removeOld(folder, product.name, keep);
}

/** The way back: tables that are upgraded stay so. @throws StartError */
export async function backUpBeforeUpgrade(
  { rootDir, dataDir, schedule }: AppConfig,
  { connection, blobs }: Pick<BackupOptions, 'connection' | 'blobs'>,
  progress: (message: string) => void,
): Promise<void> {
  if (schedule === undefined) {
    progress('New tables for this version, without a backup: BACKUP_DIR is not set');
    return;
  }
  progress('New tables for this version: making a backup first');
  const { folder, passphrase } = schedule;
  const product = await readProduct(rootDir);
  const { signal } = new AbortController();
  await createBackup({
    ...{ connection, dataDir, blobs, folder, passphrase, product, signal },
    isScheduled: false,
    isSettingUp: true,
  }).catch((error: unknown) => {
    if (!(error instanceof StartError)) throw error;
    throw new StartError(`Not upgraded, because no backup was made first: ${error.message}`, {
      cause: error,
    });
  });
}

async function isDue(owner: Pool, everyHours: number): Promise<boolean> {
  const { rows } = await owner.query<{ due: boolean }>(
    `select not exists (
       select from platform.backups where is_scheduled and taken_at > now() - make_interval(secs => $1)
     ) as due`,
    [everyHours * 3600],
  );
  return rows[0]?.due ?? false;
}

/**
 * Removes all but the newest archives, which sort by time. Called after a backup has succeeded, so the newest is complete.
 * @param name first word of the archives' names
 */
async function removeOld(folder: string, name: string, keep: number): Promise<void> {
  const isArchive = new RegExp(`^${name}-\\d{8}-\\d{6}-\\d{3}\\.backup$`);
  const archives = (await readdir(folder)).filter((file) => isArchive.test(file)).sort();
  for (const file of archives.slice(0, -keep)) await rm(path.join(folder, file), { force: true });
}
