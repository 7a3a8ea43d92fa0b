import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { company } from '#company';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import type { ServiceLogin } from './database.ts';
import { setLoginPasswords } from './give-logins.ts';
import { applyFiles, readSqlFiles, type SqlFile } from './migrate.ts';

/** Advisory lock key. Arbitrary, but must be the same in every version of the program. */
const SETUP_LOCK = 7_823_114_502;
const OLDEST_MAJOR = 15;
const SERVICES = ['auth', 'rest', 'realtime', 'storage'];
const SEED_PATH = 'supabase/seed.sql';

async function platformFiles(serverDir: string): Promise<SqlFile[]> {
  const folders: [owner: string, folder: string][] = [
    ['database', path.join(serverDir, 'database', 'platform')],
    ...SERVICES.map((service): [string, string] => [
      service,
      path.join(serverDir, 'services', service, 'schema'),
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
  config: Pick<Config, 'databaseUrl' | 'projectDir' | 'signupPolicy' | 'demo'>;
  /** Enquiries that one address may send in an hour; the database's own default unless given. */
  enquiriesPerHour?: number;
  /** Service logins and their passwords. */
  logins: Record<ServiceLogin, string>;
  /** Folder that holds `database/platform` and the services' `schema` folders. */
  serverDir: string;
  /** Told each long step in plain words. */
  progress?: (message: string) => void;
  /** Fills a new database with the demo company, inside one transaction. */
  fillDemo?: (client: pg.ClientBase) => Promise<void>;
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
  const { config, logins, serverDir, progress = () => {} } = preparation;
  const client = new pg.Client(connection);
  await client.connect();
  // Hides the NOTICEs of `if not exists`.
  await client.query('set client_min_messages to warning');
  try {
    await refuseOldServer(client);
    await client.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
    await applyPlatform(client, serverDir);
    await setLoginPasswords(client, logins, config.databaseUrl === undefined);
    await applyProject(client, config, progress);
    await settleDemo(client, preparation);
    await writeSettings(client, config.signupPolicy, preparation.enquiriesPerHour);
  } finally {
    await client.end();
  }
}

async function applyPlatform(client: pg.Client, serverDir: string): Promise<void> {
  await applyFiles(client, 'platform', await platformFiles(serverDir)).catch((error: unknown) => {
    if (error instanceof StartError && /permission denied|must be/.test(error.message)) {
      throw new StartError(
        `The database account has too few rights to set up roles and schemas. Use an account that may create roles (${error.message})`,
      );
    }
    throw error;
  });
}

async function applyProject(
  client: pg.Client,
  config: Preparation['config'],
  progress: (message: string) => void,
): Promise<void> {
  const folder = path.join(config.projectDir, 'supabase');
  const migrations = await readSqlFiles(path.join(folder, 'migrations'));
  await client.query('set search_path to public, extensions');
  if (config.demo && (await isUnused(client))) {
    // Noted before the first migration, so that a start cut off in between is finished by the next.
    await client.query(`insert into platform.demo values ('wanted') on conflict do nothing`);
  }
  let announced = false;
  await applyFiles(client, 'supabase_migrations', migrations, () => {
    if (!announced) progress('Bringing the tables up to date');
    announced = true;
  });
  await seed(client, folder);
}

async function isUnused(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ unused: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is null as unused`,
  );
  return rows[0]?.unused ?? false;
}

async function settleDemo(client: pg.Client, preparation: Preparation): Promise<void> {
  const { rows } = await client.query<{ state: string }>('select state from platform.demo');
  const state = rows[0]?.state;
  if (state !== undefined && !preparation.config.demo) {
    throw new StartError(
      'This database holds the demo accounts, whose password is published. Start production on an empty database (another DATA_DIR or DATABASE_URL).',
    );
  }
  if (state !== 'wanted' || preparation.fillDemo === undefined) return;
  preparation.progress?.('Loading the demo company');
  await client.query('begin');
  await preparation.fillDemo(client);
  await client.query(`update platform.demo set state = 'loaded'`);
  await client.query('commit');
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
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query('insert into supabase_migrations.seed_files values ($1, $2)', [
      SEED_PATH,
      createHash('sha256').update(sql).digest('hex'),
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new StartError(`supabase/seed.sql failed: ${(error as Error).message}`, { cause: error });
  }
}

/** Policies and functions of our own migrations read these; another project has no such table. */
async function writeSettings(
  client: pg.Client,
  signupPolicy: string,
  enquiriesPerHour: number | undefined,
): Promise<void> {
  const { rows } = await client.query<{ known: boolean }>(
    `select to_regclass('private.settings') is not null as known`,
  );
  if (!rows[0]?.known) return;
  await client.query(
    `update private.settings set signup_policy = $1, time_zone = $2,
       enquiries_per_hour = coalesce($3, enquiries_per_hour)`,
    [signupPolicy, company.timeZone, enquiriesPerHour],
  );
}
