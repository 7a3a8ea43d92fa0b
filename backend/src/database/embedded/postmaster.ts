import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { isAlive, readCommand } from '../../processes.ts';
import { StartError } from '../../start-error.ts';
import { readPassword } from './data-directory.ts';

const FAST_SHUTDOWN_MS = 10_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;
const ZOMBIE_LIMIT_MS = 5_000;

async function postmasterOf(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const pid = Number(text?.split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/** @returns whether the process ended before the limit */
async function hasEnded(pid: number, limitMs: number): Promise<boolean> {
  const limit = Date.now() + limitMs;
  while (isAlive(pid)) {
    if (Date.now() > limit) return false;
    await pause(20);
  }
  return true;
}

/**
 * Stops a PostgreSQL that outlived a killed server, so that the next one can use its data directory.
 * @param dir absolute path of the data directory
 */
export async function stopLeftover(
  dir: string,
  progress: (message: string) => void,
): Promise<void> {
  const file = path.join(dir, 'postmaster.pid');
  const pid = await postmasterOf(file);
  if (pid === undefined || !isAlive(pid)) return;
  const command = await readCommand(pid);
  if (command === '') {
    // A zombie: it has no command line any more, but PostgreSQL would still consider it alive. The file may be
    // removed once its children have ended.
    if (!(await hasEnded(pid, ZOMBIE_LIMIT_MS))) await rm(file, { force: true });
    return;
  }
  // The process id may have been reused by another program.
  if (!command?.includes('postgres') || !command.includes(dir)) return;
  progress('Stopping a database left over by an interrupted run');
  process.kill(pid, 'SIGINT');
  if (await hasEnded(pid, FAST_SHUTDOWN_MS)) return;
  process.kill(pid, 'SIGQUIT');
  await hasEnded(pid, IMMEDIATE_SHUTDOWN_MS);
}

/** Zero-based line of postmaster.pid with the port (PostgreSQL source, `miscadmin.h`). */
const PORT_LINE = 3;

/**
 * Connection settings for a command that runs beside the server.
 * @param dataDir absolute DATA_DIR
 * @throws StartError when no server runs on it
 */
export async function runningConnection(dataDir: string): Promise<pg.ClientConfig> {
  const file = path.join(dataDir, 'postgres', 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new StartError(
      `No server is running on ${dataDir}. Start it with npm start, then run this command again.`,
    );
  });
  const password = await readPassword(dataDir);
  return {
    host: '127.0.0.1',
    port: Number(text.split('\n')[PORT_LINE]),
    user: 'postgres',
    password,
    database: 'postgres',
  };
}
