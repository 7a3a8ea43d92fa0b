// Starts everything in order and returns how to stop it.
import { statfs } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type pg from 'pg';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import type { Application, Context } from './context.ts';
import { explainDamage, openFolder, requireUsable } from './data-folders.ts';
import { type Database, openDatabase } from './database/database.ts';
import { type Cluster, startCluster } from './database/embedded/cluster.ts';
import { connectionFromUrl, databaseAddress } from './database/owner-connection.ts';
import { prepareDatabase } from './database/prepare.ts';
import { followPrimary } from './database/primary.ts';
import { RecentErrors } from './http/recent-errors.ts';
import { lockDataDir } from './instance-lock.ts';
import { openKeys } from './keys/keys.ts';
import { listen, prepareClose } from './listen.ts';
import { openMailer } from './mail/mailer.ts';
import { Requests } from './metrics/requests.ts';
import { disagreements, nodeName } from './nodes.ts';
import { openBlobs } from './services/storage/blobs/s3.ts';
import { readSettings } from './settings/settings.ts';
import { StartError } from './start-error.ts';
import { openTracing } from './tracing/open-tracing.ts';
import { tracedBlobs, tracedMailer } from './tracing/outgoing.ts';
import { checkWallClock } from './wall-clock.ts';

/** Connections for callers' requests unless `PGRST_DB_POOL` is set (docs/measurements/data-service.md). */
const POOL_SIZE = 8;
/** By which a simulation says that it has moved the clock, and waits for what is due then. */
const CLOCK_MOVED = 'SIGUSR2';

export interface Running {
  /** The listening address, for example `http://127.0.0.1:3000`. */
  url: string;
  context: Context;
  /** Waits for requests in flight, then stops everything in reverse order. */
  stop(): Promise<void>;
  /** Makes a running `stop` abort requests in flight. */
  hurry(): void;
}

export interface BackendOptions {
  config: Config;
  /** Absolute path of `backend/src`; a bundle can't find it by itself. */
  sourceDir: string;
  application: Application;
  /** Called with the name of each long step. */
  progress?: (message: string) => void;
  /** Aborts the start, which undoes what it has begun and throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** @throws StartError */
export async function startBackend(options: BackendOptions): Promise<Running> {
  const { config, sourceDir, application, progress = () => {}, signal } = options;
  const undo: (() => Promise<void>)[] = [];
  if (config.clockFile !== undefined) {
    process.on(CLOCK_MOVED, checkWallClock);
    undo.push(async () => void process.off(CLOCK_MOVED, checkWallClock));
  }
  const hurry = new AbortController();
  let drainedBy = Number.POSITIVE_INFINITY;
  const stop = async (): Promise<void> => {
    drainedBy = performance.now() + config.drainSeconds * 1000;
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const settings = await readSettings(config);
    application.adjustSettings?.(settings);
    const tracing = await openTracing(config.env, application);
    const lock = await lockDataDir(config.dataDir);
    undo.push(lock.release);
    await openFolder(path.join(config.dataDir, 'keys'));
    if (config.smtpUrl === undefined) await requireUsable(path.join(config.dataDir, 'outbox'));
    const connection = await connect(options, undo);
    signal?.throwIfAborted();
    const keys = await openKeys(config, (error) => progress(error.message));
    undo.push(async () => keys.close());
    const name = nodeName(config, keys, application.version);
    connection.application_name = name;
    const blobs = await openBlobs(config);
    undo.push(() => blobs.close());
    const { max_connections_per_user: connections, max_waiting_per_user: waiting } = settings.api;
    const onError = (error: Error): void => {
      // An aborted start closes its own connections.
      if (!signal?.aborted) progress(error.message);
    };
    const shares = { connections, waiting };
    const database = openDatabase(connection, poolSize(config), onError, shares, tracing);
    undo.push(() => database.end());
    if (config.databaseUrl !== undefined) undo.push(follow(config.databaseUrl, database, progress));
    await prepareDatabase(connection, {
      config,
      logins: database.logins,
      sourceDir,
      progress,
      signal,
      beforeFirstMigration: application.beforeFirstMigration,
      beforeUpgrade: async () => application.beforeUpgrade?.({ connection, blobs }),
      afterMigrations: async (client) => application.afterMigrations?.(client, blobs),
    });

    if (config.databaseUrl !== undefined) {
      const unlike = await disagreements(database.owner, name);
      for (const sentence of unlike) progress(sentence);
    }

    const mailer = openMailer(config, application.organisation);
    let url = '';
    const context: Context = {
      config,
      application,
      settings,
      database,
      keys,
      mailer: tracing && config.smtpUrl !== undefined ? tracedMailer(mailer, tracing) : mailer,
      blobs: tracing && config.storageUrl !== undefined ? tracedBlobs(blobs, tracing) : blobs,
      siteUrl: () => config.siteUrl ?? url,
      ownUrl: () => url,
      now: () => new Date(),
      diskSpace: async (folder) => {
        const { bavail, blocks, bsize } = await statfs(folder);
        return { free: bavail * bsize, total: blocks * bsize };
      },
      observed: { requests: new Requests(), errors: new RecentErrors() },
      tracing,
      sourceDir,
    };
    const app = await buildApp(context);
    // Before the database stops, which takes longer.
    undo.push(async () => tracing?.stop(Math.max(0, drainedBy - performance.now()), hurry.signal));
    const close = prepareClose(app, config);
    undo.push(() => close(hurry.signal));
    await listen(app, config);
    const { port } = app.server.address() as AddressInfo;
    const host = config.host.includes(':') ? `[${config.host}]` : config.host;
    url = `http://${config.host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
    await lock.announce(url);
    signal?.throwIfAborted();
    return { url, context, stop, hurry: () => hurry.abort() };
  } catch (error) {
    await stop();
    // What fails then, fails for it.
    signal?.throwIfAborted();
    throw explainDamage(error, config.dataDir);
  }
}

/** @throws StartError */
function poolSize({ pgrst }: Config): number {
  const given = pgrst.db_pool;
  if (given === undefined) return POOL_SIZE;
  if (/^[1-9]\d{0,2}$/.test(given)) return Number(given);
  throw new StartError(
    `The setting PGRST_DB_POOL is not usable: ${given} is no number of connections from 1 to 999.`,
  );
}

/** With several hosts in DATABASE_URL: goes to the one that takes writes. @returns how to stop that */
function follow(
  databaseUrl: string,
  database: Database,
  progress: (message: string) => void,
): () => Promise<void> {
  const { hosts } = databaseAddress(databaseUrl);
  if (hosts.length === 1) return async () => {};
  return followPrimary({
    connection: database.ownerConnection,
    hosts,
    onMove: (host) => {
      progress(`The database is now at ${host.host}:${host.port}`);
      database.moveTo(host);
    },
    onError: (error) => progress(`No database takes writes: ${error.message}`),
  });
}

async function connect(
  { config, progress = () => {}, signal }: BackendOptions,
  undo: (() => Promise<void>)[],
): Promise<pg.ClientConfig> {
  if (config.databaseUrl !== undefined) return connectionFromUrl(config.databaseUrl);
  const cluster: Cluster = await startCluster({
    dataDir: config.dataDir,
    progress,
    onRestart: progress,
    clockFile: config.clockFile,
    signal,
  });
  undo.push(() => cluster.stop());
  // Ends running statements, of a migration or the demo company.
  signal?.addEventListener('abort', () => void cluster.stop());
  return cluster.local;
}
