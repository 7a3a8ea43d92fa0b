// Ends a PostgreSQL that outlived a killed server, so that the next start can take its data directory.
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandOf, isAlive } from '../../processes.ts';

const FAST_LIMIT_MS = 10_000;
const LIMIT_MS = 20_000;
const DYING_LIMIT_MS = 5_000;

async function postmasterOf(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const pid = Number(text?.split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/** @returns whether the process ended before the limit */
async function ends(pid: number, limitMs: number): Promise<boolean> {
  const limit = Date.now() + limitMs;
  while (isAlive(pid)) {
    if (Date.now() > limit) return false;
    await pause(20);
  }
  return true;
}

/** @param dir absolute path of the data directory */
export async function stopLeftover(
  dir: string,
  progress: (message: string) => void,
): Promise<void> {
  const file = path.join(dir, 'postmaster.pid');
  const pid = await postmasterOf(file);
  if (pid === undefined || !isAlive(pid)) return;
  const command = await commandOf(pid);
  if (command === '') {
    // Killed, and not yet collected by its parent: it has no command line any more, but PostgreSQL would still
    // take it for alive. Its children end with it; only then may the file go.
    if (!(await ends(pid, DYING_LIMIT_MS))) await rm(file, { force: true });
    return;
  }
  // The number may belong to another program by now.
  if (!command?.includes('postgres') || !command.includes(dir)) return;
  progress('Stopping a database left over by an interrupted run');
  process.kill(pid, 'SIGINT');
  if (await ends(pid, FAST_LIMIT_MS)) return;
  process.kill(pid, 'SIGQUIT');
  await ends(pid, LIMIT_MS - FAST_LIMIT_MS);
}
