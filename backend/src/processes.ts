import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process of another account counts as alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** @returns the command line, undefined if the process does not exist or can't be read */
export async function readCommand(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (text !== undefined) return text.replaceAll('\0', ' ').trim();
  if (process.platform === 'linux' || process.platform === 'win32') return undefined;
  return run('ps', ['-p', String(pid), '-o', 'command=']).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

/** @returns the start time of a process, which tells it from a later one with the same id; empty if unknown */
export async function readBirth(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // Field 22 is the start time. The name in field 2 may contain spaces, so count after its parenthesis (proc_pid_stat(5)).
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
