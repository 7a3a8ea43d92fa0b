// Runs a command of a set-up; Ctrl-C and SIGTERM end it with all that it started.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Not from `import.meta.dirname`: a Node that is too old for us must get as far as saying so. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** A problem the user can fix: printed as one sentence without a stack trace. */
export class SetupError extends Error {
  exitCode = 1;
}

class Interrupted extends SetupError {
  constructor(signal) {
    super('Stopped. The next npm start goes on from here.');
    this.exitCode = 128 + constants.signals[signal];
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** For a command that ignores SIGTERM. */
const KILL_AFTER_MS = 5_000;
/** Elsewhere than on Windows a command leads a group of its own, which ends as a whole. */
const hasGroups = process.platform !== 'win32';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let interruptedBy;

function endAll(signal) {
  for (const child of running) {
    try {
      if (hasGroups && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

function interrupt(signal) {
  // npm passes on the signal that the terminal has sent already.
  if (interruptedBy !== undefined) return;
  interruptedBy = signal;
  endAll('SIGTERM');
  setTimeout(() => endAll('SIGKILL'), KILL_AFTER_MS).unref();
}

function track(child) {
  if (running.size === 0) for (const signal of SIGNALS) process.on(signal, interrupt);
  running.add(child);
  const untrack = () => {
    running.delete(child);
    // Without a command, signals do again what they do by default.
    if (running.size === 0) for (const signal of SIGNALS) process.off(signal, interrupt);
  };
  child.once('close', untrack);
  child.once('error', untrack);
}

/** Runs npm as `run` runs a command. */
export function runNpm(args, options) {
  // npm sets npm_execpath for its scripts; running that works on every platform.
  const npm = process.env.npm_execpath;
  return npm ? run(process.execPath, [npm, ...args], options) : run('npm', args, options);
}

/**
 * Runs a command in the repository; shows its output only when it fails.
 * @param {{ env?: Record<string, string>, onStart?: (pid: number) => void, onOutput?: (text: string) => void, isNoise?: (line: string) => boolean }} options
 * `isNoise`: lines that don't explain a failure
 * @returns {Promise<void>}
 */
export function run(command, args, { env = {}, onStart, onOutput, isNoise = () => false } = {}) {
  return new Promise((resolve, reject) => {
    if (interruptedBy !== undefined) throw new Interrupted(interruptedBy);
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      detached: hasGroups,
    });
    track(child);
    if (child.pid !== undefined) onStart?.(child.pid);
    let output = '';
    const read = (chunk) => {
      output += chunk;
      onOutput?.(String(chunk));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (interruptedBy !== undefined) reject(new Interrupted(interruptedBy));
      else if (code === 0) resolve();
      else {
        const lines = output.split('\n').filter((line) => !isNoise(line));
        const name = path.basename(args[0] ?? command);
        reject(new SetupError(`${lines.join('\n')}\n${name} failed (${signal ?? code}).`));
      }
    });
  });
}
