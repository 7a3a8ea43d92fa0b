// Bundles a measured server as `npm start` does: the same code is slower when run from source through a loader.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const BACKEND = path.resolve(import.meta.dirname, '..', '..');
const { name: own, dependencies } = JSON.parse(
  readFileSync(path.join(BACKEND, 'package.json'), 'utf8'),
);

/**
 * @param {string} entry absolute path of the script
 * @param {string} outfile absolute path of the bundle
 * @param {string[]} packages further packages that stay in node_modules
 * @returns {Promise<string>} `outfile`
 */
export async function bundle(entry, outfile, packages = []) {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    external: [...Object.keys(dependencies), ...packages].filter((one) => one !== own),
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  });
  return outfile;
}
