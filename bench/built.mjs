// Bundles a measured server as `npm start` does: the same code is slower when run from source through a loader.
import path from 'node:path';
import { build } from 'esbuild';
import { installedPackages } from '../scripts/packages.mjs';
import { ROOT } from '../scripts/setup.mjs';

/** @param {string} entry absolute path of the script @param {string} name of the bundle @returns {Promise<string>} its path */
export async function built(entry, name) {
  const outfile = path.join(ROOT, '.cache', `${name}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    external: installedPackages,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  });
  return outfile;
}
