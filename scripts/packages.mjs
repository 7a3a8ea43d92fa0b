// The packages that bundles leave in node_modules: everything that is installed, but not our own workspace.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './setup.mjs';

function namesIn(folder) {
  const file = path.join(ROOT, folder, 'package.json');
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.keys({ ...dependencies, ...devDependencies });
}

/** For esbuild's `external`. */
export const installedPackages = [...namesIn('.'), ...namesIn('backend')].filter(
  (name) => name !== 'supabase-in-node',
);
