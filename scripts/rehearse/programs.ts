// The programs of the rehearsal: started in a folder of their own, killed without warning, and all gone at the end.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from 'supabase-in-node/start-error';

const running = new Set<ChildProcess>();

/** PostgreSQL refuses to run as root. Its Debian package brings this account. */
const account =
  process.getuid?.() === 0
    ? { uid: Number(idOf('-u')), gid: Number(idOf('-g')) }
    : { uid: undefined, gid: undefined };

function idOf(option: string): string {
  return spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout.trim();
}

interface RunOptions {
  env?: Record<string, string>;
  /** File that takes all output. */
  log: string;
  /** Whether it runs under PostgreSQL's account. */
  asPostgres?: boolean;
}

export function run(file: string, args: string[], options: RunOptions): ChildProcess {
  const log = openSync(options.log, 'a');
  const child = spawn(file, args, {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...options.env },
    ...(options.asPostgres ? account : {}),
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Runs a command of PostgreSQL to its end. @throws with its output */
export function runPostgres(file: string, args: string[]): void {
  execFileSync(file, args, { stdio: 'pipe', ...account });
}

export async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

export async function endAll(): Promise<void> {
  for (const child of [...running].reverse()) await end(child, 'SIGKILL');
}

/** @throws StartError that names the Debian package */
export function findProgram(name: string, folders: string[], debianPackage: string): string {
  for (const folder of [...folders, ...(process.env.PATH ?? '').split(':')]) {
    const entries = readIfThere(folder);
    if (entries.includes(name)) return path.join(folder, name);
  }
  throw new StartError(`${name} is not installed. On Debian: apt-get install ${debianPackage}`);
}

export function readIfThere(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

const POLL_MS = 50;

/** Waits until `isDone` answers true; an error counts as "not yet". @throws StartError after the limit */
export async function until(what: string, limitMs: number, isDone: () => Promise<boolean>) {
  const started = performance.now();
  while (!(await isDone().catch(() => false))) {
    if (performance.now() - started > limitMs) {
      throw new StartError(`It took longer than ${limitMs / 1000} s: ${what}.`);
    }
    await pause(POLL_MS);
  }
  return performance.now() - started;
}
