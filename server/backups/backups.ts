// Backups on a schedule: of several processes one makes each.
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify';
import type { Pool } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { type BackupOptions, BackupRunning, createBackup } from 'supabase-in-node/create-backup';
import { keepNewest } from 'supabase-in-node/keep-newest';
import { withPlace } from 'supabase-in-node/place-address';
import { Rounds } from 'supabase-in-node/rounds';
import { StartError } from 'supabase-in-node/start-error';
import { openWal, releaseWal, type SavedWal } from 'supabase-in-node/wal';
import { hasColumn } from 'supabase-in-node/with-client';
import type { AppConfig, BackupSettings } from '../config.ts';
import { readProduct } from './product.ts';
import { rememberSaving } from './saved-changes.ts';

/** How often a process checks whether a backup is due. */
const LOOK_MS = 60_000;
/** After a full disk or a database error. */
const AGAIN_MS = 15 * 60_000;
/** How long noting the newest backup may delay the stop. */
const STOP_MS = 1_000;

export function backups(config: AppConfig, context: Context): FastifyPluginAsync {
  return async (app) => {
    const { schedule } = config;
    if (schedule?.walFolder === undefined && config.databaseUrl === undefined) {
      await releaseWal(context.database.owner);
    }
    if (await hasColumn(context.database.owner, 'private.settings', 'backed_up_at')) {
      const notes = new Rounds(() => noteNewest(context.database.owner), {
        everyMs: LOOK_MS,
        afterErrorMs: LOOK_MS,
        stopMs: STOP_MS,
        onError: (error) => app.log.error({ err: error }, 'the newest backup is not known'),
      });
      app.addHook('onReady', async () => notes.start(0));
      app.addHook('onClose', () => notes.stop());
    }
    if (schedule === undefined) return;
    const stopping = new AbortController();
    const wal = await saveWal(config, schedule, context, app.log);
    if (wal) rememberSaving(context, wal);
    const work = async (): Promise<void> => {
      await backUpIfDue(config, schedule, context, { log: app.log, signal: stopping.signal });
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

/** Also of those that are made by command. The tables of the product must not know ours, which no Supabase project has. */
async function noteNewest(owner: Pool): Promise<void> {
  await owner.query(
    `update private.settings s set backed_up_at = b.newest from (select max(taken_at) as newest from platform.backups) b
     where s.backed_up_at is distinct from b.newest`,
  );
}

async function saveWal(
  { rootDir, dataDir }: AppConfig,
  { walFolder, everyHours, keep, passphrase }: BackupSettings,
  { database, blobs }: Context,
  log: FastifyBaseLogger,
): Promise<SavedWal | undefined> {
  if (walFolder === undefined) return undefined;
  return openWal({
    ...{ dataDir, blobs, passphrase, everyHours, keep },
    owner: database.owner,
    connection: database.ownerConnection,
    product: await readProduct(rootDir),
    backups: walFolder,
    onError: (error) =>
      log.error({ err: error }, 'changes are not saved for a restore to a point in time'),
  });
}

async function backUpIfDue(
  { rootDir, dataDir }: AppConfig,
  { place: address, everyHours, keep, passphrase }: BackupSettings,
  { database, blobs }: Context,
  { log, signal }: { log: FastifyBaseLogger; signal: AbortSignal },
): Promise<void> {
  if (!(await isDue(database.owner, everyHours))) return;
  const product = await readProduct(rootDir);
  await withPlace(address, signal, async (place) => {
    await createBackup({
      connection: database.ownerConnection,
      dataDir,
      blobs,
      place,
      passphrase,
      product,
      isScheduled: true,
      signal,
    });
    // The key of a bucket may be one that can't remove anything.
    await keepNewest(place, product.name, keep).catch((error: unknown) => {
      if (!signal.aborted) log.error({ err: error }, 'old archives were not removed');
    });
  });
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
  const { passphrase } = schedule;
  const product = await readProduct(rootDir);
  const { signal } = new AbortController();
  const options = { connection, dataDir, blobs, passphrase, product, signal };
  await withPlace(schedule.place, signal, (place) =>
    createBackup({ ...options, place, isScheduled: false, isSettingUp: true }),
  ).catch((error: unknown) => {
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
