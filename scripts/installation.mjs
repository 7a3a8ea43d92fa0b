// Packages: which are missing, and npm to install them. A start installs what running needs, tests and checks install all.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ROOT, runNpm } from './child.mjs';

/** npm writes it last, when every package is complete. */
const HIDDEN_LOCK = path.join(ROOT, 'node_modules', '.package-lock.json');

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}

/** @typedef {'running' | 'all'} Extent */

/** Packages that must be there; those for other platforms are optional. @param {Extent} extent */
function wantedPackages(extent) {
  const packages = readPackages(path.join(ROOT, 'package-lock.json')) ?? {};
  return Object.entries(packages).filter(
    ([name, { optional, peer, dev, devOptional }]) =>
      name !== '' && !optional && !peer && (extent === 'all' || !(dev || devOptional)),
  );
}

/** Whether node_modules matches the lock file. @param {Extent} extent */
export function isInstalled(extent) {
  const present = readPackages(HIDDEN_LOCK);
  if (present === undefined) return false;
  return wantedPackages(extent).every(
    // A workspace is a link, which has no version.
    ([name, { version }]) => present[name] !== undefined && present[name].version === version,
  );
}

/** npm logs the archive of each package that it takes from its cache or the network. */
const ARCHIVE = /^npm http .*\/([^/\s]+\.tgz)/gm;

/**
 * @param {Extent} extent
 * @param {{ onStart?: (pid: number) => void, onCount?: (done: number, total: number) => void }} options `onCount` gets packages
 */
export async function install(extent, { onStart, onCount } = {}) {
  // Complete for running: npm adds what is missing. npm ci would remove everything first.
  const isAdding = extent === 'all' && isInstalled('running');
  const total = wantedPackages(extent).length - (isAdding ? wantedPackages('running').length : 0);
  const args = isAdding
    ? ['install', '--no-save']
    : ['ci', ...(extent === 'running' ? ['--omit=dev'] : [])];
  args.push('--no-audit', '--no-fund', '--prefer-offline', '--loglevel=http');
  // npm writes it again at its end: a stopped installation must not look complete, whatever it has left.
  rmSync(HIDDEN_LOCK, { force: true });
  await runNpm(args, {
    onStart,
    onOutput: onCount && packageCounter(total, onCount),
    isNoise: (line) => line.startsWith('npm http '),
  });
}

function packageCounter(total, onCount) {
  const seen = new Set();
  return (text) => {
    for (const [, archive] of text.matchAll(ARCHIVE)) seen.add(archive);
    // Packages for this platform alone come on top of the total.
    if (seen.size > 0) onCount(Math.min(seen.size, total), total);
  };
}
