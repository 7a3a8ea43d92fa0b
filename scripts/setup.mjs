// Makes a clone ready to run: installs packages, builds the web app and the server. Needs only Node and npm.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './setup-lock.mjs';

export const ROOT = path.resolve(import.meta.dirname, '..');
const OLDEST_NODE = [20, 19];

export function say(message) {
  process.stdout.write(`  ${message}\n`);
}

/** A problem the user can fix: printed as one sentence without a stack trace. */
export class SetupError extends Error {}

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldMajor, oldMinor] = OLDEST_NODE;
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return;
  throw new SetupError(
    `This is Node ${process.versions.node}. Install Node ${OLDEST_NODE.join('.')} or newer and start again.`,
  );
}

/**
 * Runs a command in the repository; shows its output only when it fails.
 * @param {{ env?: Record<string, string>, onStart?: (pid: number) => void }} options
 * @returns {Promise<void>}
 */
export function run(command, args, { env = {}, onStart } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    if (child.pid !== undefined) onStart?.(child.pid);
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new SetupError(
            `${output}\n${path.basename(args[0] ?? command)} failed (${signal ?? code}).`,
          ),
        );
    });
  });
}

/** Shows progress during a long step, then how long it took. */
export async function step(label, work) {
  const started = Date.now();
  process.stdout.write(`  ${label}`);
  const dots = setInterval(() => process.stdout.write('.'), 1000);
  try {
    await work();
    process.stdout.write(` ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
  } catch (error) {
    process.stdout.write(' failed\n');
    throw error;
  } finally {
    clearInterval(dots);
  }
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Whether node_modules matches the lock file; packages for other platforms are ignored. */
function isInstalled() {
  const wanted = readJson(path.join(ROOT, 'package-lock.json'))?.packages ?? {};
  const present = readJson(path.join(ROOT, 'node_modules', '.package-lock.json'))?.packages;
  if (present === undefined) return false;
  return Object.entries(wanted).every(
    ([name, entry]) =>
      name === '' ||
      entry.optional ||
      entry.peer ||
      // A workspace is a link, which has no version.
      (present[name] !== undefined && present[name].version === entry.version),
  );
}

/** One of several starts at once installs and builds; the others wait for it. */
function alone(work) {
  const file = path.join(ROOT, '.cache', 'setup.lock');
  const onWait = ({ pid = 'unknown' }) =>
    say(
      `Another start (process ${pid}) installs or builds here. Waiting for it; if it no longer runs, delete ${file}.`,
    );
  return withLock(file, { onWait }, work);
}

export async function ensureInstalled() {
  if (isInstalled()) return;
  await alone(async ({ add }) => {
    if (isInstalled()) return;
    // npm sets npm_execpath for its scripts; running that works on every platform.
    const npm = process.env.npm_execpath;
    const args = ['ci', '--no-audit', '--no-fund', '--prefer-offline'];
    const [command, before] = npm ? [process.execPath, [npm]] : ['npm', []];
    await step('Installing packages (first start only)', () =>
      run(command, [...before, ...args], { onStart: add }),
    );
  });
}

function filesOf(target) {
  if (!existsSync(target)) return [];
  if (statSync(target).isFile()) return [target];
  return readdirSync(target, { withFileTypes: true })
    .flatMap((entry) => filesOf(path.join(target, entry.name)))
    .sort();
}

function fingerprint(inputs) {
  const hash = createHash('sha256');
  for (const input of [...inputs, 'package-lock.json']) {
    for (const file of filesOf(path.join(ROOT, input))) {
      hash.update(path.relative(ROOT, file)).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

const BUILDS = [
  {
    label: 'Building the server',
    script: 'scripts/build-server.mjs',
    stamp: 'dist/server.stamp',
    output: 'dist/server/main.js',
    inputs: [
      'server',
      'demo',
      'backend/package.json',
      'backend/src',
      'shared',
      'company.config.ts',
      'scripts/build-server.mjs',
      'scripts/packages.mjs',
    ],
  },
  {
    label: 'Building the web app',
    script: 'scripts/build-web.mjs',
    stamp: 'dist/web.stamp',
    output: 'dist/web/index.html',
    inputs: [
      'web',
      'shared',
      'company.config.ts',
      'vite.config.ts',
      'scripts/build-web.mjs',
      'scripts/build-offline.mjs',
      'scripts/chunks.mjs',
    ],
  },
];

/** @returns the builds whose output is missing or older than their inputs, with the new stamps */
function outdatedBuilds() {
  return BUILDS.map((build) => ({ ...build, now: fingerprint(build.inputs) })).filter(
    ({ output, stamp, now }) => {
      const file = path.join(ROOT, stamp);
      const isBuilt = existsSync(path.join(ROOT, output)) && existsSync(file);
      return !isBuilt || readFileSync(file, 'utf8') !== now;
    },
  );
}

/** Builds what has changed since the last build. */
export async function ensureBuilt() {
  if (outdatedBuilds().length === 0) return;
  await alone(async ({ add }) => {
    for (const { label, script, stamp, now } of outdatedBuilds()) {
      await step(label, () => run(process.execPath, [script], { onStart: add }));
      writeFileSync(path.join(ROOT, stamp), now);
    }
  });
}

/** Runs a script; prints a SetupError as one sentence and exits with code 1. */
export async function main(work) {
  try {
    requireNode();
    await work();
  } catch (error) {
    const message = error instanceof SetupError ? error.message.trim() : error;
    console.error(message);
    process.exitCode = 1;
  }
}
