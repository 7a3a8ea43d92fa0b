// Runs the program in child processes, the way `npm start` does, and kills them.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from '#backend/processes.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

export interface Started {
  child: ChildProcess;
  url: string;
}

export interface Ended {
  code: number | null;
  /** Its complete output. */
  output: string;
}

const children: ChildProcess[] = [];
/** What each has printed. */
const outputs = new WeakMap<ChildProcess, () => string>();
const folders: string[] = [];

/** Stops all programs of a test and removes its folders. */
export async function endAll(): Promise<void> {
  for (const child of children.splice(0)) await kill(child, 'SIGTERM');
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

/** @returns a new empty folder that other users can enter; removed after the test */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'statesman-start-'));
  await chmod(folder, 0o755);
  folders.push(folder);
  return folder;
}

/** A data directory and a project without migrations. */
export async function bareStart(): Promise<{ DATA_DIR: string; PROJECT_DIR: string }> {
  return { DATA_DIR: await emptyFolder(), PROJECT_DIR: await emptyFolder() };
}

/** The program's process; a wrapper command runs it in other conditions, `words` follow `npm start --`. */
function launch(
  env: Record<string, string>,
  wrapper: string[] = [],
  words: string[] = [],
): { child: ChildProcess; output: () => string } {
  const [file = process.execPath, ...args] = [
    ...wrapper,
    process.execPath,
    'scripts/start.mjs',
    ...words,
  ];
  const child = spawn(file, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DEMO: 'off', ...env },
  });
  children.push(child);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  outputs.set(child, () => output);
  return { child, output: () => output };
}

/** Waits until it logs its URL. @throws with its output if it exits before */
export function started(env: Record<string, string>): Promise<Started> {
  const { child, output } = launch(env);
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const [, site, listening] =
        /Ready at (http\S+)(?: \(listening on (http[^)]+)\))?(?: after \d+ s)?\n/.exec(output()) ??
        [];
      const url = listening ?? site;
      if (url !== undefined) resolve({ child, url });
    };
    child.stdout?.on('data', look);
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${output()}`)));
  });
}

/** @returns `interrupt`, which sends a signal and waits for the end; its code is null if the signal itself was the end */
export function interruptible(env: Record<string, string>): {
  shows(text: string): Promise<void>;
  interrupt(signal: NodeJS.Signals): Promise<Ended>;
} {
  const { child, output } = launch(env);
  const end = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    shows: (text) =>
      new Promise((resolve, reject) => {
        child.stdout?.on('data', () => {
          if (output().includes(text)) resolve();
        });
        void end.then((code) => reject(new Error(`It ended with ${code}:\n${output()}`)));
      }),
    interrupt: async (signal) => {
      child.kill(signal);
      return { code: await end, output: output() };
    },
  };
}

/** Sends a signal once the output has `text`. */
export async function interrupted(
  env: Record<string, string>,
  text: string,
  signal: NodeJS.Signals,
): Promise<Ended> {
  const program = interruptible(env);
  await program.shows(text);
  return program.interrupt(signal);
}

/** Waits for it to exit on its own. */
export function ended(
  env: Record<string, string>,
  wrapper: string[] = [],
  words: string[] = [],
): Promise<Ended> {
  const { child, output } = launch(env, wrapper, words);
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, output: output() }));
  });
}

/** Sends a signal and waits for the exit. @returns the exit code */
export async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const end = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill(signal);
  return end;
}

/** Asks it to stop, and waits. @throws with its output if it ends in any other way than by itself and well */
export async function stopped(child: ChildProcess): Promise<void> {
  const code = await kill(child, 'SIGTERM');
  if (code !== 0) throw new Error(`It ended with ${code}:\n${outputs.get(child)?.()}`);
}

/** @returns the process id of the PostgreSQL on the data directory */
export async function postmasterOf(dataDir: string): Promise<number> {
  const text = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

/** Resolves once the process has exited. */
export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
}
