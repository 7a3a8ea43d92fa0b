// Makes a clone ready to run: installs packages, builds the web app and the server. Needs only Node and npm.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run, SetupError } from './child.mjs';
import { display } from './display.mjs';
import { install, isInstalled } from './installation.mjs';
import { withLock } from './setup-lock.mjs';

export { ROOT, run, SetupError };
export const { say, step } = display;

const OLDEST_NODE = [20, 19];
export const INSTALLING = 'Installing packages';

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldMajor, oldMinor] = OLDEST_NODE;
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return;
  throw new SetupError(
    `This is Node ${process.versions.node}. Install Node ${OLDEST_NODE.join('.')} or newer and start again.`,
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

/** @param {import('./installation.mjs').Extent} extent a complete installation is enough for running, too */
export async function ensureInstalled(extent = 'all') {
  if (isInstalled(extent)) return;
  await alone(async ({ add }) => {
    if (isInstalled(extent)) return;
    await step(INSTALLING, (onCount) => install(extent, { onStart: add, onCount }));
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
      'docs/guide',
      'scripts/build-web.mjs',
      'scripts/build-guide.mjs',
      'scripts/heading-anchor.mjs',
      'scripts/build-offline.mjs',
      'scripts/chunks.mjs',
    ],
  },
];

/** @returns the builds whose output is missing or older than their inputs, with the new stamps */
export function outdatedBuilds() {
  return BUILDS.map((build) => ({ ...build, now: fingerprint(build.inputs) })).filter(
    ({ output, stamp, now }) => {
      const file = path.join(ROOT, stamp);
      const isBuilt = existsSync(path.join(ROOT, output)) && existsSync(file);
      return !isBuilt || readFileSync(file, 'utf8') !== now;
    },
  );
}

/** Builds what has changed since the last build. @param known the outdated builds, where they have been looked for */
export async function ensureBuilt(known = outdatedBuilds()) {
  if (known.length === 0) return;
  await alone(async ({ add }) => {
    for (const { label, script, stamp, now } of outdatedBuilds()) {
      const file = path.join(ROOT, stamp);
      // Half of a new output must not count as the old one when the sources change back.
      rmSync(file, { force: true });
      await step(label, () => run(process.execPath, [script], { onStart: add }));
      writeFileSync(file, now);
    }
  });
}

/** Runs a script; prints a SetupError as one sentence and exits with code 1. */
export async function main(work) {
  try {
    requireNode();
    await work();
  } catch (error) {
    const isExpected = error instanceof SetupError;
    console.error(isExpected ? error.message.trim() : error);
    process.exitCode = isExpected ? error.exitCode : 1;
  }
}
