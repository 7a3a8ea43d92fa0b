// Bundles the server and the backend into dist/server/main.js; packages stay in node_modules.
import { build } from 'esbuild';
import { installedPackages } from './packages.mjs';

await build({
  entryPoints: ['server/main.ts'],
  outfile: 'dist/server/main.js',
  bundle: true,
  external: installedPackages,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
});
