import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

/** What `npm ci --omit=dev` must be enough for: the build, the server, and the commands of an operator. */
const ENTRIES = [
  'scripts/start.mjs',
  'scripts/reset.mjs',
  'scripts/run.mjs',
  'scripts/build-server.mjs',
  'scripts/build-web.mjs',
  'vite.config.ts',
  'server/main.ts',
  'backend/src/main.ts',
  'backend/src/start.ts',
  'scripts/admin-create.ts',
  'scripts/backup.ts',
  'scripts/upgrade-postgres.ts',
  'web/app.tsx',
  'web/client.tsx',
  'web/kiosk.tsx',
  'web/service-worker.ts',
  'web/kiosk-worker.ts',
  'web/portals/site/main.ts',
  'web/portals/site/render.tsx',
  'web/portals/auth/render-sign-in.tsx',
];

/** Of the application and of its workspace. */
function dependencies(): string[] {
  return ['.', 'backend'].flatMap((folder) => {
    const file = readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8');
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(file);
    return Object.keys(dependencies);
  });
}

/** `@scope/name/file` to `@scope/name`. */
const packageOf = (imported: string) =>
  imported
    .split('/')
    .slice(0, imported.startsWith('@') ? 2 : 1)
    .join('/');

test('an installation without development packages has all that running imports', async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    stdin: {
      contents: ENTRIES.map((entry) => `import './${entry}';`).join('\n'),
      resolveDir: ROOT,
    },
    outdir: 'dist/unwritten',
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    external: ['*?raw', '*?url', '*?worker'],
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    logOverride: { 'empty-import-meta': 'silent' },
  });
  const imported = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter((one) => one.external === true && !/^[./#]|^node:|\?/.test(one.path))
    .map((one) => packageOf(one.path))
    .filter((name) => !builtinModules.includes(name));
  const names = [...new Set(imported)].sort();
  expect(names).toContain('fastify');
  expect(names).toContain('vite');
  expect(names).toContain('tailwindcss');
  const installed = dependencies();
  expect(names.filter((name) => !installed.includes(name))).toEqual([]);
}, 90_000);
