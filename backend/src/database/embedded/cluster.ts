import type { ChildProcess } from 'node:child_process';
import { copyFile, open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../start-error.ts';
import { withClient } from '../with-client.ts';
import {
  clusterVersion,
  createCluster,
  createPassword,
  readPassword,
  UPGRADING,
} from './data-directory.ts';
import { stopLeftover } from './postmaster.ts';
import {
  accountFor,
  type Binaries,
  chownTo,
  findBinaries,
  spawnAs,
  waitForExit,
  whyUnusable,
} from './programs.ts';

export interface Cluster {
  /** Over TCP, for other programs. */
  connection: pg.ClientConfig;
  /** Through a Unix socket where possible: faster, for the server itself. */
  local: pg.ClientConfig;
  /** Fast shutdown: running statements are cancelled, committed transactions are safe. */
  stop(): Promise<void>;
}

interface ClusterOptions {
  /** Absolute DATA_DIR. */
  dataDir: string;
  progress?: (message: string) => void;
  /** Called when PostgreSQL died and is being restarted. */
  onRestart?: (message: string) => void;
  /** Additional server settings, for tests. */
  settings?: Record<string, string>;
  /** Longest start, in milliseconds. */
  startLimitMs?: number;
  /** File of libfaketime with the time of a simulation. */
  clockFile?: string | undefined;
  /** Binaries of another PostgreSQL than the embedded one. */
  binaries?: Binaries;
  /** Aborts the start; the running cluster is not stopped by it. */
  signal?: AbortSignal | undefined;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  wal_level: 'logical',
  max_connections: '60',
  max_replication_slots: '20',
  max_wal_senders: '20',
  // An abandoned replication slot must not fill the disk.
  max_slot_wal_keep_size: '1GB',
  // Reusing segments would keep as many as the busiest hour has filled, such as the first: more than the data.
  wal_recycle: 'off',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Keeps statements, parameters and row values out of the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

/** Long, because crash recovery may have much to replay. */
const START_LIMIT_MS = 120_000;
const LOG_CHECK_MS = 60_000;
const STOP_LIMIT_MS = 3_500;
const SHARED_MEMORY_ATTEMPTS = 20;
const SHARED_MEMORY_PAUSE_MS = 500;
const RESTART_PAUSE_MS = 5_000;
const WRONG_PASSWORD = '28P01';

/** Creates the embedded PostgreSQL if necessary, starts it, and restarts it when it dies. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, progress = () => {}, startLimitMs = START_LIMIT_MS, signal } = options;
  const dir = path.join(dataDir, 'postgres');
  const binaries = options.binaries ?? (await findBinaries());
  const account = await accountFor([binaries.postgres, dir]);
  const unusable = await whyUnusable(account);
  if (unusable !== undefined) throw new StartError(unusable);
  const made = await clusterVersion(dir);
  if (made !== undefined) refuseOtherVersion(dir, made, binaries.major);
  else await refuseHalfSwapped(dataDir);
  // A start that was killed before initdb finished left a password without a database: it is overwritten.
  const password = made === undefined ? await createPassword(dataDir) : await readPassword(dataDir);
  if (made === undefined) {
    progress('Creating the database');
    await createCluster(binaries, account, dir, password, signal);
  }
  await chownTo(account, dir);
  await stopLeftover(dir, progress);

  const port = await freePort();
  const connection = { host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' };
  const socket = await socketFolder(dir, port);
  const settings = {
    ...SETTINGS,
    unix_socket_directories: socket ?? '',
    ...options.settings,
    port: String(port),
  };
  const args = ['-D', dir, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])];
  const logFile = path.join(dataDir, 'postgres.log');

  const launch = async (): Promise<ChildProcess> => {
    await rotateLog(logFile);
    const log = await open(logFile, 'a', 0o600);
    try {
      return spawnAs(account, binaries.postgres, args, {
        stdio: ['ignore', log.fd, log.fd],
        cwd: dir,
        clockFile: options.clockFile,
      });
    } finally {
      await log.close();
    }
  };

  const bringUp = async (): Promise<ChildProcess> => {
    for (let attempt = 1; ; attempt += 1) {
      const started = await launch();
      try {
        await waitUntilReady(started, connection, logFile, startLimitMs, signal);
        return started;
      } catch (error) {
        // Child processes of a killed PostgreSQL may still be exiting.
        const isInUse =
          error instanceof StartError && /pre-existing shared memory/.test(error.message);
        if (!isInUse || attempt >= SHARED_MEMORY_ATTEMPTS) throw error;
        await pause(SHARED_MEMORY_PAUSE_MS);
      }
    }
  };

  let stopping = false;
  let child = await bringUp();
  const restart = async (): Promise<void> => {
    while (!stopping) {
      options.onRestart?.('PostgreSQL stopped unexpectedly and is being restarted');
      try {
        await stopLeftover(dir, () => {});
        child = await bringUp();
        if (stopping) child.kill('SIGINT');
        else child.once('exit', () => void restart());
        return;
      } catch (error) {
        options.onRestart?.((error as Error).message);
        await pause(RESTART_PAUSE_MS);
      }
    }
  };
  child.once('exit', () => void restart());
  const logCheck = setInterval(() => {
    rotateLog(logFile).catch((error: Error) =>
      options.onRestart?.(`postgres.log could not be rotated: ${error.message}`),
    );
  }, LOG_CHECK_MS).unref();

  return {
    connection,
    local: socket === undefined ? connection : { ...connection, host: socket },
    stop: async () => {
      stopping = true;
      clearInterval(logCheck);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = waitForExit(child);
      child.kill('SIGINT');
      const late = setTimeout(() => child.kill('SIGQUIT'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

function refuseOtherVersion(dir: string, made: string, major: string): void {
  if (made === major) return;
  const what = `The database in ${dir} was made by PostgreSQL ${made}, and this program has version ${major}. Nothing was changed.`;
  throw new StartError(
    Number(made) < Number(major)
      ? `${what} Carry it over with: npm run upgrade:postgres`
      : `${what} Start the version of the program that made it, or a newer one.`,
  );
}

/** An empty database must not take the place of one that is about to be moved there. */
async function refuseHalfSwapped(dataDir: string): Promise<void> {
  if ((await clusterVersion(path.join(dataDir, UPGRADING, 'postgres'))) === undefined) return;
  throw new StartError(
    `The move of the database in ${dataDir} to a newer PostgreSQL was interrupted. Finish it with: npm run upgrade:postgres`,
  );
}

async function waitUntilReady(
  child: ChildProcess,
  connection: pg.ClientConfig,
  logFile: string,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const limit = Date.now() + limitMs;
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  while (Date.now() < limit) {
    if (signal?.aborted) {
      const ended = waitForExit(child);
      if (child.kill('SIGINT')) await ended;
      throw signal.reason;
    }
    try {
      await withClient(connection, async () => {});
      return;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === WRONG_PASSWORD) {
        const ended = waitForExit(child);
        if (child.kill('SIGINT')) await ended;
        throw new StartError(
          'The database in DATA_DIR refuses the password in keys/postgres-password. Restore that file from a backup, together with the other files in that folder.',
        );
      }
      if (failure !== undefined || child.exitCode !== null || child.signalCode !== null) break;
      await pause(15);
    }
  }
  child.kill('SIGQUIT');
  const reason = (await lastFatalMessage(logFile)) ?? failure?.message ?? 'no reason given';
  if (/No space left/.test(reason)) {
    throw new StartError(
      'The disk is full: PostgreSQL could not start. No data is lost. Free some space and start again.',
    );
  }
  throw new StartError(
    `PostgreSQL could not start: ${reason}. No data is lost. See ${logFile} for details.`,
  );
}

/** @returns a TCP port that is unused on the loopback address */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return address.port;
}

/** Length of a Unix socket path in bytes that every system supports (sun_path has 104 on macOS). */
const MAX_PATH_BYTES = 100;

/**
 * Tries to create a socket, because some volumes (shared into a virtual machine, network drives) don't support them.
 * @param dir PostgreSQL's data directory, which exists
 * @param port that it will listen on, part of the socket's name
 * @returns the folder for the Unix socket, or undefined where only TCP works
 */
async function socketFolder(dir: string, port: number): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  if (Buffer.byteLength(path.join(dir, `.s.PGSQL.${port}`)) > MAX_PATH_BYTES) return undefined;
  // A killed PostgreSQL leaves its socket behind; the next one uses another port.
  const stale = (await readdir(dir)).filter((name) => name.startsWith('.s.PGSQL.'));
  await Promise.all(stale.map((name) => rm(path.join(dir, name), { force: true })));
  const probe = path.join(dir, `.try.${port}`);
  const server = createServer();
  const works = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(probe, () => server.close(() => resolve(true)));
  });
  await rm(probe, { force: true });
  return works ? dir : undefined;
}

/** Bytes after which postgres.log is moved to postgres.log.1, replacing the previous one. */
const LOG_LIMIT = 5 * 1024 * 1024;

/** Copies and truncates, because PostgreSQL keeps the file open in append mode. */
async function rotateLog(file: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= LOG_LIMIT) return;
  await copyFile(file, `${file}.1`);
  await truncate(file);
}

/** @returns the last FATAL or PANIC message */
async function lastFatalMessage(file: string): Promise<string | undefined> {
  const log = await readFile(file, 'utf8').catch(() => '');
  const line = log.split('\n').findLast((entry) => /FATAL|PANIC/.test(entry));
  return line?.replace(/^.*?(FATAL|PANIC):\s*/, '').trim();
}
