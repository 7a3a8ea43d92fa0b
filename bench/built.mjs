import { bundle } from '../backend/bench/support/bundle.mjs';
import { installedPackages } from '../scripts/packages.mjs';

/** @param {string} entry absolute path of a script of ours @param {string} name of the bundle @returns {Promise<string>} its path */
export const built = (entry, name) => bundle(entry, name, installedPackages);
