// Ends a PostgreSQL that outlived a killed server, so that the next start can take its data directory.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandOf, isAlive } from '../../processes.ts';

const FAST_LIMIT_MS = 10_000;
const LIMIT_MS = 20_000;

/** Every process that still works on the data directory: the postmaster, or backends it left behind. */
async function running(dir: string): Promise<number | undefined> {
  const text = await readFile(path.join(dir, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const pid = Number(text?.split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  // The number may belong to another program by now.
  const command = await commandOf(pid);
  return command?.includes('postgres') && command.includes(dir) ? pid : undefined;
}

/** @param dir absolute path of the data directory */
export async function stopLeftover(
  dir: string,
  progress: (message: string) => void,
): Promise<void> {
  const pid = await running(dir);
  if (pid === undefined) return;
  progress('Stopping a database left over by an interrupted run');
  process.kill(pid, 'SIGINT');
  const started = Date.now();
  let pressed = false;
  while (isAlive(pid) && Date.now() - started < LIMIT_MS) {
    if (!pressed && Date.now() - started > FAST_LIMIT_MS) {
      process.kill(pid, 'SIGQUIT');
      pressed = true;
    }
    await pause(25);
  }
}
