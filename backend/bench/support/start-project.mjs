import path from 'node:path';
import { bundle } from './bundle.mjs';
import { child } from './child.mjs';

const BACKEND = path.resolve(import.meta.dirname, '..', '..');

/** Starts the starter project's server, built. @param {Record<string, string>} env @returns once it is ready */
export async function startProject(env) {
  const entry = path.join(import.meta.dirname, 'server.mjs');
  const outfile = path.join(BACKEND, '.cache', 'bench-server.mjs');
  return child(await bundle(entry, outfile), env, [BACKEND]);
}
