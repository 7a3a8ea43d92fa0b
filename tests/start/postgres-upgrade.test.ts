// A DATA_DIR that an older major version of PostgreSQL made. Debian's packages play the older version.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import ws from 'ws';
import { z } from 'zod';
import { startCluster } from '#backend/database/embedded/cluster.ts';
import { binariesIn, findBinaries } from '#backend/database/embedded/programs.ts';
import { emptyFolder, ended, started, stopped } from './program.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const DEBIAN = '/usr/lib/postgresql';
const EMAIL = 'kept@test.example';
const PASSWORD = 'correct-horse-7';
const MIGRATION = `
create table public.note (id bigint generated always as identity primary key, body text not null);
alter table public.note enable row level security;
create policy "Members read notes" on public.note for select to authenticated using (true);
create policy "Members add notes" on public.note for insert to authenticated with check (true);
insert into storage.buckets (id, name) values ('files', 'files');
create policy "Members use files" on storage.objects for all to authenticated using (true) with check (true);
`;

const Config = z.object({ supabaseAnonKey: z.string() });

/** Bin folder of a PostgreSQL that is older than the embedded one. */
async function olderBin(): Promise<string | undefined> {
  const { major } = await findBinaries();
  const older = readdirIfThere(DEBIAN)
    .map(Number)
    .filter((version) => version >= 15 && version < Number(major));
  return older.length === 0 ? undefined : path.join(DEBIAN, String(Math.max(...older)), 'bin');
}

function readdirIfThere(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function project(): Promise<string> {
  const folder = await emptyFolder();
  await mkdir(path.join(folder, 'supabase', 'migrations'), { recursive: true });
  await writeFile(
    path.join(folder, 'supabase', 'migrations', '20260101000000_notes.sql'),
    MIGRATION,
  );
  return folder;
}

async function open(url: string, token?: string): Promise<SupabaseClient> {
  const { supabaseAnonKey } = Config.parse(await (await fetch(`${url}/app-config.json`)).json());
  return createClient(url, supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws as never },
    ...(token === undefined ? {} : { accessToken: async () => token }),
  });
}

function upgrade(env: Record<string, string>, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/run.mjs', 'scripts/upgrade-postgres.ts', ...args],
    { cwd: ROOT, env: { ...process.env, DEMO: 'off', ...env }, encoding: 'utf8' },
  );
  return { code: status, output: stdout + stderr, lastLine: stdout.trim().split('\n').at(-1) };
}

const bin = await olderBin();

describe.skipIf(bin === undefined)(
  `a database of an older PostgreSQL${bin === undefined ? ' (skipped: the package postgresql-15 or newer is not installed)' : ''}`,
  () => {
    it('is refused with the command to use, and carried over with sessions, rows and files', async () => {
      const binaries = await binariesIn(bin ?? '');
      const { major } = await findBinaries();
      const env = { DATA_DIR: await emptyFolder(), PROJECT_DIR: await project() };
      const { DATA_DIR } = env;
      const cluster = await startCluster({ dataDir: DATA_DIR, binaries });
      const { user, password, host, port } = cluster.connection;
      const DATABASE_URL = `postgres://${user}:${password}@${host}:${port}/postgres`;
      const old = await started({ ...env, DATABASE_URL });
      const before = await open(old.url);
      const { data } = await before.auth.signUp({ email: EMAIL, password: PASSWORD });
      const token = data.session?.access_token ?? '';
      await before.from('note').insert({ body: 'first' }).throwOnError();
      const upload = await before.storage.from('files').upload('a.txt', 'a stored file');
      expect(upload.error).toBeNull();
      await stopped(old.child);
      await cluster.stop();

      // A start names the command and changes nothing.
      const refused = await ended(env);
      expect(refused.code).toBe(1);
      expect(refused.output).toContain(
        `was made by PostgreSQL ${binaries.major}, and this program has version ${major}. Nothing was changed. Carry it over with: npm run upgrade:postgres`,
      );
      // So does the command with another PostgreSQL.
      const embedded = path.dirname((await findBinaries()).postgres);
      const wrong = upgrade(env, '--postgres', embedded);
      expect(wrong.code).toBe(1);
      expect(wrong.output).toContain(
        `has PostgreSQL ${major}. The database was made by version ${binaries.major}`,
      );
      expect(await readFile(path.join(DATA_DIR, 'postgres', 'PG_VERSION'), 'utf8')).toBe(
        `${binaries.major}\n`,
      );

      const done = upgrade(env);
      expect(done.output).toContain('Comparing every row');
      expect(done.lastLine).toMatch(
        new RegExp(`^upgraded from PostgreSQL ${binaries.major} to ${major}: \\d+ rows compared`),
      );
      expect(done.code).toBe(0);
      expect(await readdir(DATA_DIR)).toEqual(
        expect.arrayContaining(['keys', 'postgres', `postgres-${binaries.major}`, 'storage']),
      );
      expect(await readdir(DATA_DIR)).not.toContain('.upgrading');
      expect(upgrade(env).lastLine).toBe('The database needs no upgrade. Now: npm start');

      // As if the power had failed between the two renames: an empty database must not take its place.
      await mkdir(path.join(DATA_DIR, '.upgrading'));
      await rename(path.join(DATA_DIR, 'postgres'), path.join(DATA_DIR, '.upgrading', 'postgres'));
      expect((await ended(env)).output).toContain('Finish it with: npm run upgrade:postgres');
      expect(upgrade(env).lastLine).toContain(
        `upgraded from PostgreSQL ${binaries.major} to ${major}. The old database is in ${DATA_DIR}/postgres-${binaries.major}`,
      );

      const { child, url } = await started(env);
      const signedIn = await open(url, token);
      const added = signedIn.from('note').insert({ body: 'second' });
      await added.throwOnError();
      const notes = await signedIn.from('note').select('id, body').order('id');
      expect(notes.data).toEqual([
        { id: 1, body: 'first' },
        { id: 2, body: 'second' },
      ]);
      const file = await signedIn.storage.from('files').download('a.txt');
      expect(await file.data?.text()).toBe('a stored file');
      const again = await (await open(url)).auth.signInWithPassword({
        email: EMAIL,
        password: PASSWORD,
      });
      expect(again.error).toBeNull();
      await stopped(child);
    });
  },
);
