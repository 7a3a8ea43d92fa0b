// Bundles the server and the backend into dist/server/main.js; packages stay in node_modules.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { installedPackages } from './packages.mjs';
import { ROOT } from './setup.mjs';

// As packages their whole index is loaded at each start, which takes 130 ms and 14 MB; bundled only what we use.
const isBundled = (name) => name === 'date-fns' || name.startsWith('@date-fns/');

const OUT = path.join(ROOT, 'dist', 'server');
/** A running server may still import parts of the build that it was started from. */
const KEPT_MS = 30 * 24 * 3600 * 1000;

for (const name of existsSync(OUT) ? readdirSync(OUT) : []) {
  const file = path.join(OUT, name);
  if (Date.now() - statSync(file).mtimeMs > KEPT_MS) rmSync(file);
}
await build({
  entryPoints: ['server/main.ts'],
  outdir: OUT,
  bundle: true,
  // What is imported when it is needed becomes a file of its own, and with it the packages that only this part uses.
  splitting: true,
  external: installedPackages.filter((name) => !isBundled(name)),
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
});
