// npm run simulate -- --seed 7 --months 1 --guards 20 --sites 4: a company lives in the product under a clock that moves
// (docs/decisions/0116-life-of-a-company.md).
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, main, ROOT, SetupError } from './setup.mjs';

/** Where Debian's package `libfaketime` puts it, by processor. */
const LIBRARIES = ['x86_64', 'aarch64'].map(
  (cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketime.so.1`,
);

/** @returns the path of libfaketime, undefined where it is not installed */
export const findFaketime = () => LIBRARIES.find((file) => existsSync(file));

/** @returns the clock's file, and the environment of processes that go by it; the caller removes the folder */
export function newClock() {
  const library = findFaketime();
  if (library === undefined) {
    throw new SetupError(
      "The simulation moves the clock with libfaketime. Install Debian's package faketime.",
    );
  }
  // Not in DATA_DIR: PostgreSQL reads the clock too, as another user where we are root.
  const folder = mkdtempSync(path.join(tmpdir(), 'simulation-clock-'));
  const clock = path.join(folder, 'clock');
  writeFileSync(clock, '+0s');
  return {
    folder,
    file: clock,
    env: {
      LD_PRELOAD: library,
      CLOCK_FILE: clock,
      FAKETIME_TIMESTAMP_FILE: clock,
      // The file counts at once, and timers go on with the machine's time.
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
  };
}

/**
 * @param {string[]} args as on the command line
 * @param {'inherit' | 'pipe'} stdio
 * @returns the process; the product must be built
 */
export function startLife(args, stdio) {
  const { folder, env } = newClock();
  const child = spawn(process.execPath, ['--import', 'tsx', 'tests/simulation/run.ts', ...args], {
    cwd: ROOT,
    stdio: ['ignore', stdio, stdio],
    env: { ...process.env, ...env },
  });
  child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return child;
}

if (process.argv[1] === import.meta.filename) {
  await main(async () => {
    await ensureInstalled();
    await ensureBuilt();
    const child = startLife(process.argv.slice(2), 'inherit');
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    process.exitCode = await new Promise((resolve) =>
      child.once('exit', (code) => resolve(code ?? 1)),
    );
  });
}
