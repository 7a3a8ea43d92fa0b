// Ctrl-C, SIGTERM and kill -9 while a start makes the database: nothing is left that blocks the next one.
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isAlive } from '#backend/processes.ts';
import {
  bareStart,
  emptyFolder,
  interrupted,
  interruptible,
  postmasterOf,
  started,
  stopped,
} from './program.ts';

const STOPPED = 'Stopped. The next start goes on from here.';

async function expectNothingLeft(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  expect(names.filter((name) => /^(server\.lock|postgres\.(new|password))/.test(name))).toEqual([]);
  if (names.includes('postgres'))
    expect(await readdir(path.join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s during initdb', async (signal, expected) => {
  const env = await bareStart();
  const { code, output } = await interrupted(env, 'Creating the database', signal);
  expect([code, output]).toEqual([expected, expect.stringContaining(STOPPED)]);
  await expectNothingLeft(env.DATA_DIR);
  await stopped((await started(env)).child);
});

it('kill -9 during initdb, which goes on beside the next start', async () => {
  const env = await bareStart();
  const { code } = await interrupted(env, 'Creating the database', 'SIGKILL');
  expect(code).toBe(null);
  await stopped((await started(env)).child);
  await expectNothingLeft(env.DATA_DIR);
});

/** A project whose migration never ends, and how to wait until it runs. */
async function endlessProject() {
  const env = await bareStart();
  const migrations = path.join(env.PROJECT_DIR, 'supabase', 'migrations');
  const migration = path.join(migrations, '20260101000000_endless.sql');
  const signs = await emptyFolder();
  // PostgreSQL runs as another account.
  await chmod(signs, 0o777);
  await mkdir(migrations, { recursive: true });
  await writeFile(
    migration,
    `create table public.half (); copy (select) to '${signs}/reached'; select pg_sleep(600);`,
  );
  const reached = async (): Promise<void> => {
    while (!(await readdir(signs)).includes('reached'))
      await new Promise((resolve) => setImmediate(resolve));
  };
  return { env, reached, finish: () => writeFile(migration, 'create table public.half ();') };
}

it.each(['SIGINT', 'SIGKILL'] as const)('%s during a migration', async (signal) => {
  const { env, reached, finish } = await endlessProject();
  const first = interruptible(env);
  await reached();
  const postmaster = await postmasterOf(env.DATA_DIR);
  const { code, output } = await first.interrupt(signal);
  if (signal === 'SIGINT') {
    expect([code, output]).toEqual([130, expect.stringContaining(STOPPED)]);
    expect(isAlive(postmaster)).toBe(false);
    await expectNothingLeft(env.DATA_DIR);
  }
  await finish();
  await stopped((await started(env)).child);
  expect(isAlive(postmaster)).toBe(false);
});

it('SIGTERM while the demo company is loaded, which the next start begins again', async () => {
  const env = { DATA_DIR: await emptyFolder(), DEMO: 'on' };
  const step = 'Loading the demo company';
  for (const expected of [/^ {2}Step 2 of 2 {2}Loading/m, /^ {2}Loading/m]) {
    const { code, output } = await interrupted(env, step, 'SIGTERM');
    expect([code, output]).toEqual([143, expect.stringMatching(expected)]);
    expect(output).toContain(STOPPED);
    await expectNothingLeft(env.DATA_DIR);
  }
});
