// New code on the database of an earlier release, and earlier code on an upgraded one.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '@supabase/supabase-js';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import ws from 'ws';
import { z } from 'zod';
import { ownerConnection } from '#backend/database/owner-connection.ts';
import { withClient } from '#backend/database/with-client.ts';
import { emptyFolder, ended, started, stopped } from './program.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const RELEASE = path.join(ROOT, 'tests', 'fixtures', 'baseline-2026-11');
const NEWEST = '20261128200000';
/** Stands for the steps of the releases to come. */
const STEP = '20990101000000_gate_codes.sql';
const RELEASE_PASSPHRASE = 'an archive for tests';
const PASSWORD = 'correct-horse-7';
const BACKUP_PASSPHRASE = 'before the upgrade';

const Config = z.object({ supabaseAnonKey: z.string() });

/** A data directory with the database of the release. */
async function releaseData(): Promise<string> {
  const dataDir = await emptyFolder();
  execFileSync(
    process.execPath,
    ['scripts/run.mjs', 'scripts/backup.ts', 'restore', path.join(RELEASE, 'statesman.backup')],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        DEMO: 'off',
        DATA_DIR: dataDir,
        BACKUP_PASSPHRASE: RELEASE_PASSPHRASE,
      },
    },
  );
  return dataDir;
}

/** A project with the migrations up to this one. */
async function projectUpTo(newest: string): Promise<string> {
  const folder = await emptyFolder();
  const migrations = path.join(folder, 'supabase', 'migrations');
  await mkdir(migrations, { recursive: true });
  const source = path.join(ROOT, 'supabase', 'migrations');
  for (const name of await readdir(source))
    if (name <= `${newest}_~`) await cp(path.join(source, name), path.join(migrations, name));
  return folder;
}

const releaseProject = (): Promise<string> => projectUpTo(NEWEST);

/** Today's project and one more step. */
async function nextProject(): Promise<string> {
  const folder = await projectUpTo(STEP);
  const step = path.join(folder, 'supabase', 'migrations', STEP);
  await writeFile(step, 'alter table public.sites add column gate_code text;');
  return folder;
}

const asOwner = async <T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient(await ownerConnection({ dataDir, databaseUrl: undefined }), work);

async function signIn(url: string, email: string) {
  const answer = await fetch(`${url}/app-config.json`);
  const { supabaseAnonKey } = Config.parse(await answer.json());
  const client = createClient(url, supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws as never },
  });
  const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  expect(error).toBeNull();
  return { client, id: data.user?.id ?? '' };
}

describe('a database of the baseline', () => {
  it('is upgraded after a backup, with every row, the passwords and the work that goes on', async () => {
    const DATA_DIR = await releaseData();
    const BACKUP_DIR = await emptyFolder();
    const PROJECT_DIR = await nextProject();
    const { child, url } = await started({
      DATA_DIR,
      PROJECT_DIR,
      BACKUP_DIR,
      BACKUP_PASSPHRASE,
    });
    const expected = z
      .record(z.string(), z.number())
      .parse(JSON.parse(await readFile(path.join(RELEASE, 'rows.json'), 'utf8')));
    await asOwner(DATA_DIR, async (client) => {
      for (const [table, rows] of Object.entries(expected)) {
        const { rows: found } = await client.query(`select count(*)::int as rows from ${table}`);
        // Migrations add rows of their own, such as the rates of a year.
        expect(found[0].rows, table).toBeGreaterThanOrEqual(rows);
      }
    });

    const { client, id } = await signIn(url, 'guard@release.example');
    const sites = await asOwner(DATA_DIR, (owner) => owner.query('select gate_code from sites'));
    expect(sites.rowCount).toBeGreaterThan(0);
    const assignment = await asOwner(DATA_DIR, async (owner) => {
      const { rows } = await owner.query(
        `with shift as (
           insert into shifts (site_id, start_time, end_time)
           select id, now() - interval '5 minutes', now() + interval '8 hours' from sites limit 1 returning id
         )
         insert into assignments (shift_id, user_id) select id, $1 from shift returning id`,
        [id],
      );
      return z.string().parse(rows[0]?.id);
    });
    const event = {
      p_id: crypto.randomUUID(),
      p_kind: 'in',
      p_assignment_id: assignment,
      p_attendance_id: crypto.randomUUID(),
      p_device_at: new Date().toISOString(),
      p_sent_at: new Date().toISOString(),
      p_gps: '6.3000,-10.8000',
    };
    await client.rpc('record_clock_event', event).throwOnError();
    const own = await client.from('attendance').select('id').eq('assignment_id', assignment);
    expect(own.data).toHaveLength(1);
    const admin = await signIn(url, 'admin@release.example');
    const contracts = await admin.client.from('contracts').select('id');
    expect(contracts.error).toBeNull();
    await stopped(child);

    // The archive from before the upgrade is restored by the program of its time, or a newer one.
    const archives = (await readdir(BACKUP_DIR)).sort();
    const before = path.join(BACKUP_DIR, archives[0] ?? '');
    const restored = await emptyFolder();
    const env = { ...process.env, DEMO: 'off', DATA_DIR: restored, BACKUP_PASSPHRASE };
    execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/backup.ts', 'restore', before], {
      cwd: ROOT,
      env,
    });
    const old = await started({ DATA_DIR: restored, PROJECT_DIR: await releaseProject() });
    const newest = await asOwner(restored, async (owner) => {
      const { rows } = await owner.query(
        'select max(version) as newest from supabase_migrations.schema_migrations',
      );
      return rows[0]?.newest;
    });
    expect(newest).toBe(NEWEST);
    await stopped(old.child);

    // And the earlier program refuses what was upgraded.
    const { code, output } = await ended({ DATA_DIR, PROJECT_DIR: await releaseProject() });
    expect(code).toBe(1);
    expect(output).toContain('A newer version of the program has upgraded this database');
    expect(output).not.toMatch(/^\s+at /m);
    // Three programs and three restores.
  }, 300_000);

  it('stays as it is when no backup can be made before its upgrade', async () => {
    const DATA_DIR = await releaseData();
    const file = path.join(await emptyFolder(), 'a-file');
    await writeFile(file, '');
    const { code, output } = await ended({
      DATA_DIR,
      PROJECT_DIR: await nextProject(),
      BACKUP_DIR: file,
      BACKUP_PASSPHRASE,
    });
    expect(code).toBe(1);
    expect(output).toContain('Not upgraded, because no backup was made first');
    // The earlier program starts on it.
    const old = await started({ DATA_DIR, PROJECT_DIR: await releaseProject() });
    await stopped(old.child);
  });
});
