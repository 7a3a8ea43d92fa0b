// A measured server as `npm start` builds it: run from its sources through a loader, the same code takes longer.
import path from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../scripts/setup.mjs';

/** @param {string} entry absolute path of the script @param {string} name of the bundle @returns {Promise<string>} its path */
export async function built(entry, name) {
  const outfile = path.join(ROOT, '.cache', `${name}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  });
  return outfile;
}
