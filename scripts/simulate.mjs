// npm run simulate -- --seed 7 --months 1 --guards 20 --sites 4: a company lives in the product under a clock that moves
// (docs/decisions/0116-life-of-a-company.md).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, main, ROOT, SetupError } from './setup.mjs';
import { shrinkList } from './shrink-list.mjs';

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

/** @param {string[]} args @returns the arguments of a life, and how often it may be lived again with fewer events */
function takeTries(args) {
  const index = args.indexOf('--shrink');
  if (index === -1) return { args, tries: 0 };
  const tries = Number(args[index + 1]);
  if (!Number.isInteger(tries) || tries < 1)
    throw new SetupError('Say how many tries: --shrink 30');
  return { args: args.toSpliced(index, 2), tries };
}

/** @param {string[]} args @param {'inherit' | 'pipe'} stdio @returns the exit code of the life */
async function live(args, stdio) {
  const child = startLife(args, stdio);
  const stop = () => child.kill('SIGINT');
  process.on('SIGINT', stop).on('SIGTERM', stop);
  child.stdout?.resume();
  child.stderr?.resume();
  const [code] = await once(child, 'exit');
  process.off('SIGINT', stop).off('SIGTERM', stop);
  return code ?? 1;
}

/** Of equal events the neighbours are left out together. @param {string} key starts with the time */
const kindOf = (key) =>
  key.slice('2027-02-01T06:00'.length).replaceAll(/[A-Z][a-z]+ [A-Z][a-z]+|[0-9]+/g, '');

/**
 * Lives a life that failed again without some of its events, and prints the shortest list that still fails.
 * @param {string[]} args @param {string} folder with the failure @param {number} tries at most
 */
async function shrink(args, folder, tries) {
  const files = { skip: path.join(folder, 'skip'), failure: path.join(folder, 'failure') };
  const read = () => JSON.parse(readFileSync(files.failure, 'utf8'));
  const first = read();
  const isSame = () => existsSync(files.failure) && read().what.join() === first.what.join();
  let count = 0;
  const fails = async (kept) => {
    count += 1;
    const needed = new Set(kept);
    writeFileSync(files.skip, JSON.stringify(first.ran.filter((key) => !needed.has(key))));
    rmSync(files.failure, { force: true });
    await live(
      [...args, '--last', first.day, '--skip', files.skip, '--failure', files.failure],
      'pipe',
    );
    console.log(
      `Try ${count}: ${kept.length} events ${isSame() ? 'still fail' : 'do not fail so'}.`,
    );
    return isSame();
  };
  const byKind = first.ran.toSorted((a, b) => kindOf(a).localeCompare(kindOf(b)));
  const kept = await shrinkList(byKind, fails, tries);
  console.log(`\n${first.what.join('\n')}\n${kept.length} of ${first.ran.length} events are left:`);
  for (const key of kept.toSorted()) console.log(`  ${key}`);
}

if (process.argv[1] === import.meta.filename) {
  await main(async () => {
    await ensureInstalled();
    await ensureBuilt();
    const { args, tries } = takeTries(process.argv.slice(2));
    const folder = mkdtempSync(path.join(tmpdir(), 'simulation-failure-'));
    const failure = path.join(folder, 'failure');
    process.exitCode = await live(tries > 0 ? [...args, '--failure', failure] : args, 'inherit');
    if (tries > 0 && existsSync(failure)) await shrink(args, folder, tries);
    rmSync(folder, { recursive: true, force: true });
  });
}
