import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Config } from '../config.ts';
import type { Application } from '../context.ts';
import { StartError } from '../start-error.ts';
import type { SqlFile } from './apply-file.ts';
import { type ServiceLogin, setUpLogins } from './database.ts';
import { applyFiles, pendingFiles, readSqlFiles } from './migrate.ts';
import { takeSetupLock } from './setup-lock.ts';
import { hasTable, inTransaction, withClient } from './with-client.ts';

const OLDEST_MAJOR = 15;
const SERVICES = ['auth', 'rest', 'realtime', 'storage'];
const SEED_PATH = 'supabase/seed.sql';

async function platformFiles(sourceDir: string): Promise<SqlFile[]> {
  const folders: [owner: string, folder: string][] = [
    ['database', path.join(sourceDir, 'database', 'platform')],
    ...SERVICES.map((service): [string, string] => [
      service,
      path.join(sourceDir, 'services', service, 'schema'),
    ]),
  ];
  const files = await Promise.all(
    folders.map(async ([owner, folder]) =>
      (await readSqlFiles(folder)).map((file) => ({
        ...file,
        version: `${owner}/${file.version}`,
      })),
    ),
  );
  return files.flat();
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  );
  const row = rows[0];
  if (row && Math.floor(Number(row.number) / 10_000) < OLDEST_MAJOR) {
    throw new StartError(
      `The database at DATABASE_URL is PostgreSQL ${row.version}. Use version ${OLDEST_MAJOR} or newer.`,
    );
  }
}

export interface Preparation {
  config: Pick<Config, 'databaseUrl' | 'projectDir'>;
  /** Service logins and their passwords. */
  logins: Record<ServiceLogin, string>;
  /** Folder that holds `database/platform` and the services' `schema` folders. */
  sourceDir: string;
  progress?: (message: string) => void;
  /** Ends the connection, and with it the running statement. */
  signal?: AbortSignal | undefined;
  beforeFirstMigration?: Application['beforeFirstMigration'];
  /** Runs before a database with rows gets new tables. */
  beforeUpgrade?: () => Promise<void>;
  afterMigrations?: (client: pg.ClientBase) => Promise<void>;
}

/**
 * Prepares the database under an advisory lock: of several processes one does it, the others wait and find it done.
 * @param connection the owner's connection settings
 * @throws StartError
 */
export async function prepareDatabase(
  connection: pg.ClientConfig,
  preparation: Preparation,
): Promise<void> {
  const { config, logins, sourceDir, signal } = preparation;
  await withClient(connection, async (client) => {
    signal?.addEventListener('abort', () => void client.end());
    // Hides the NOTICEs of `if not exists`.
    await client.query('set client_min_messages to warning');
    await refuseOldServer(client);
    await takeSetupLock(client, 'exclusive');
    if (await isUpgrade(client, preparation)) await preparation.beforeUpgrade?.();
    const changes = await applyPlatform(client, sourceDir);
    await setUpLogins(client, logins, config.databaseUrl === undefined);
    const projectChanges = await applyProject(client, preparation);
    await preparation.afterMigrations?.(client);
    // Servers of the version before go on serving this database. Without a superuser's event triggers nothing else
    // makes them read the new tables.
    if (changes + projectChanges > 0) await client.query(`notify pgrst, 'reload schema'`);
  });
}

/** @throws StartError when another version has made the tables */
async function isUpgrade(client: pg.Client, { config, sourceDir }: Preparation): Promise<boolean> {
  if (!(await hasTable(client, 'supabase_migrations.schema_migrations'))) return false;
  const { rowCount } = await client.query(
    'select from supabase_migrations.schema_migrations limit 1',
  );
  if (!rowCount) return false;
  const folder = path.join(config.projectDir, 'supabase', 'migrations');
  const project = await pendingFiles(client, 'supabase_migrations', await readSqlFiles(folder));
  const platform = await pendingFiles(client, 'platform', await platformFiles(sourceDir));
  return project.length + platform.length > 0;
}

export interface AppliedVersions {
  platform: readonly string[];
  project: readonly string[];
}

/** @returns the versions of the applied files */
export async function appliedVersions(client: pg.Client): Promise<AppliedVersions> {
  const versions = async (ledger: string): Promise<string[]> => {
    const { rows } = await client.query<{ version: string }>(
      `select version from ${ledger}.schema_migrations order by version`,
    );
    return rows.map(({ version }) => version);
  };
  return { platform: await versions('platform'), project: await versions('supabase_migrations') };
}

export interface SchemaFiles {
  platform: SqlFile[];
  project: SqlFile[];
}

/** @throws StartError when this version does not have one of the files */
export async function findApplied(
  { sourceDir, projectDir }: { sourceDir: string; projectDir: string },
  applied: AppliedVersions,
): Promise<SchemaFiles> {
  const folder = path.join(projectDir, 'supabase', 'migrations');
  return {
    platform: filesOf(await platformFiles(sourceDir), applied.platform),
    project: filesOf(await readSqlFiles(folder), applied.project),
  };
}

/** Creates the tables as they were after the given files, for a restore. The next start applies the rest. */
export async function prepareOldSchema(
  client: pg.Client,
  { platform, project }: SchemaFiles,
): Promise<void> {
  await client.query('set client_min_messages to warning');
  await refuseOldServer(client);
  await applyFiles(client, 'platform', platform);
  await client.query('set search_path to public, extensions');
  await applyFiles(client, 'supabase_migrations', project);
}

function filesOf(files: SqlFile[], versions: readonly string[]): SqlFile[] {
  const missing = versions.find((version) => !files.some((file) => file.version === version));
  if (missing !== undefined) {
    throw new StartError(
      `The archive was made by a newer version: it has the tables of migration ${missing}, which this version does not have. Nothing was changed. Install the version that made it, or a newer one.`,
    );
  }
  return files.filter((file) => versions.includes(file.version));
}

async function applyPlatform(client: pg.Client, sourceDir: string): Promise<number> {
  return applyFiles(client, 'platform', await platformFiles(sourceDir)).catch((error: unknown) => {
    if (error instanceof StartError && /permission denied|must be/.test(error.message)) {
      throw new StartError(
        `The database account has too few rights to set up roles and schemas. Use an account that may create roles (${error.message})`,
      );
    }
    throw error;
  });
}

async function applyProject(client: pg.Client, preparation: Preparation): Promise<number> {
  const { config, progress = () => {} } = preparation;
  const folder = path.join(config.projectDir, 'supabase');
  const migrations = await readSqlFiles(path.join(folder, 'migrations'));
  await client.query('set search_path to public, extensions');
  const isUnused = !(await hasTable(client, 'supabase_migrations.schema_migrations'));
  if (isUnused) await preparation.beforeFirstMigration?.(client);
  let announced = false;
  const applied = await applyFiles(client, 'supabase_migrations', migrations, () => {
    if (!announced) progress(isUnused ? 'Creating the database' : 'Bringing the tables up to date');
    announced = true;
  });
  await seed(client, folder);
  return applied;
}

/** Runs seed.sql once, and records it the way the Supabase CLI does. */
async function seed(client: pg.Client, folder: string): Promise<void> {
  const sql = await readFile(path.join(folder, 'seed.sql'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
  if (sql === undefined) return;
  await client.query(
    'create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null)',
  );
  const { rowCount } = await client.query(
    'select from supabase_migrations.seed_files where path = $1',
    [SEED_PATH],
  );
  if (rowCount) return;
  const hash = createHash('sha256').update(sql).digest('hex');
  const record = 'insert into supabase_migrations.seed_files values ($1, $2)';
  await inTransaction(client, async () => {
    await client.query(sql);
    await client.query(record, [SEED_PATH, hash]);
  }).catch((error: Error) => {
    throw new StartError(`supabase/seed.sql failed: ${error.message}`, { cause: error });
  });
}
