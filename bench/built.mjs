import path from 'node:path';
import { bundle } from '../backend/bench/support/bundle.mjs';
import { installedPackages } from '../scripts/packages.mjs';
import { ROOT } from '../scripts/setup.mjs';

/** @param {string} entry absolute path of a script of ours @param {string} name of the bundle @returns {Promise<string>} its path */
export function built(entry, name) {
  // In a folder of ROOT: bundled, scripts/setup.mjs finds ROOT as the parent of its folder.
  return bundle(entry, path.join(ROOT, '.cache', `${name}.mjs`), installedPackages);
}
