import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from '#backend/database/embedded/cluster.ts';
import { emptyFolder, ended, kill, started, stopped } from './program.ts';

let cluster: Cluster;
let clusterDir: string;
let counter = 0;

beforeAll(async () => {
  clusterDir = await mkdtemp(path.join(tmpdir(), 'statesman-external-'));
  cluster = await startCluster({ dataDir: clusterDir, settings: { fsync: 'off' } });
});

afterAll(async () => {
  await cluster.stop();
  await rm(clusterDir, { recursive: true, force: true });
});

async function withDatabase<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...cluster.connection, database: name });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A project with its own migrations and an empty external database. */
async function project(files: Record<string, string>) {
  counter += 1;
  const name = `project_${counter}`;
  await withDatabase('postgres', (client) => client.query(`create database ${name}`));
  const PROJECT_DIR = await emptyFolder();
  const folder = path.join(PROJECT_DIR, 'supabase', 'migrations');
  await mkdir(folder, { recursive: true });
  const write = (file: string, sql: string): Promise<void> =>
    writeFile(path.join(folder, file), sql);
  for (const [file, sql] of Object.entries(files)) await write(file, sql);
  const { user, password, host, port } = cluster.connection;
  const DATABASE_URL = `postgres://${user}:${password}@${host}:${port}/${name}`;
  const env = async (): Promise<Record<string, string>> => ({
    PROJECT_DIR,
    DATABASE_URL,
    DATA_DIR: await emptyFolder(),
  });
  const recorded = (): Promise<string[]> =>
    withDatabase(name, async (client) => {
      const { rows } = await client.query<{ version: string }>(
        'select version from supabase_migrations.schema_migrations order by version',
      );
      return rows.map((row) => row.version);
    });
  return { name, folder, write, env, recorded };
}

const FIRST =
  'create table public.post (id int primary key); -- one; two\ninsert into post values (1);';

describe('migrations', () => {
  it('are applied in order and recorded as the Supabase CLI does', async () => {
    const made = await project({
      '20260101000000_post.sql': FIRST,
      '20260102000000_relief.sql': 'alter table post add relief text;',
    });
    const { child } = await started(await made.env());
    await stopped(child);
    const rows = await withDatabase(made.name, async (client) => {
      const result = await client.query(
        'select * from supabase_migrations.schema_migrations order by version',
      );
      return result.rows;
    });
    expect(rows).toEqual([
      {
        version: '20260101000000',
        name: 'post',
        statements: [
          'create table public.post (id int primary key)',
          '-- one; two\ninsert into post values (1)',
        ],
      },
      {
        version: '20260102000000',
        name: 'relief',
        statements: ['alter table post add relief text'],
      },
    ]);
  });

  it('are applied once by two processes that start together', async () => {
    const made = await project({ '20260101000000_post.sql': FIRST });
    const both = await Promise.all([started(await made.env()), started(await made.env())]);
    for (const { child } of both) await stopped(child);
    expect(await made.recorded()).toEqual(['20260101000000']);
  });

  it('leave nothing behind when one fails, and continue once it is fixed', async () => {
    const made = await project({
      '20260101000000_post.sql': FIRST,
      '20260102000000_broken.sql': 'create table half (id int); select no_such_function();',
    });
    const { code, output } = await ended(await made.env());
    expect(code).toBe(1);
    expect(output).toContain('Migration 20260102000000_broken.sql failed and was rolled back');
    expect(await made.recorded()).toEqual(['20260101000000']);
    await made.write('20260102000000_broken.sql', 'create table half (id int);');
    const { child } = await started(await made.env());
    await stopped(child);
    expect(await made.recorded()).toHaveLength(2);
  });

  it('stop the start if an applied file was changed or removed, or a new one sorts before it', async () => {
    const made = await project({ '20260102000000_post.sql': FIRST });
    await kill((await started(await made.env())).child, 'SIGTERM');

    await made.write('20260102000000_post.sql', `${FIRST} insert into post values (2);`);
    const changed = await ended(await made.env());
    expect(changed.code).toBe(1);
    expect(changed.output).toContain(
      'Migration 20260102000000_post.sql was changed after it had been applied.',
    );

    await made.write('20260102000000_post.sql', FIRST);
    await made.write('20260101000000_early.sql', 'select 1;');
    const overtaken = await ended(await made.env());
    expect(overtaken.output).toContain('20260101000000_early.sql is older than 20260102000000');

    await rm(path.join(made.folder, '20260102000000_post.sql'));
    const missing = await ended(await made.env());
    expect(missing.output).toContain(
      // A removed last file looks like a program from before it.
      'A newer version of the program has upgraded this database (migration 20260102000000)',
    );
  });

  it('stop the start of a database created by other migrations', async () => {
    const made = await project({
      '20260101000000_post.sql': FIRST,
      '20260102000000_relief.sql': 'alter table post add relief text;',
    });
    await kill((await started(await made.env())).child, 'SIGTERM');

    for (const file of await readdir(made.folder)) await rm(path.join(made.folder, file));
    await made.write('20260301000000_post.sql', `${FIRST} alter table post add relief text;`);
    const { code, output } = await ended(await made.env());
    expect(code).toBe(1);
    expect(output).toContain(
      'The database has migration 20260101000000, which is not in supabase/migrations: ' +
        'start the version of the program that created the database, restore a backup made by this version, ' +
        'or delete demo data with "npm run reset".',
    );
    expect(await made.recorded()).toEqual(['20260101000000', '20260102000000']);
  });

  it('stop the start of a database whose platform is that of another version', async () => {
    const made = await project({ '20260101000000_post.sql': FIRST });
    await kill((await started(await made.env())).child, 'SIGTERM');
    await withDatabase(made.name, (client) =>
      client.query("update platform.schema_migrations set statements = '{select 1}'"),
    );
    const { code, output } = await ended(await made.env());
    expect(code).toBe(1);
    expect(output).toContain(
      'The database was created by another version of the program: start the version of the program that created the database',
    );
  });
});
