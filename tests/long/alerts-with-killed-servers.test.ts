// Two servers on one database, killed at random while alerts become due: each alert once, none lost.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cleanUp } from 'supabase-in-node/testing/clean-up';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { expect, test } from 'vitest';
import { dispatcher } from '#tests/support/people.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const PROGRAM = JSON.stringify(path.join(ROOT, 'server', 'main.ts'));
const RUN = `import(${PROGRAM}).then(({ main }) => main(${JSON.stringify(ROOT)}, []))`;
const SHIFTS = 30;
const KILLS = 4;
/** A server starts in some seconds, or many on a busy machine. */
const TIMEOUT = 300_000;

async function startServer({ url }: TestDatabase): Promise<ChildProcess> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'killed-server-'));
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', RUN], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      DEMO: 'off',
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      LOG_LEVEL: 'error',
    },
  });
  cleanUp(async () => {
    await kill(child);
    await rm(dataDir, { recursive: true, force: true });
  });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test(
  'every alert is raised and told once, although servers are killed at random',
  async () => {
    const database = await freshDatabase();
    const { owner } = database;
    await owner.query('insert into auth.users (id, email) values ($1, $2)', [
      dispatcher.id,
      dispatcher.claims?.email,
    ]);
    await owner.query(`insert into user_roles (user_id, role) values ($1, 'dispatcher')`, [
      dispatcher.id,
    ]);
    const { rows } = await owner.query<{ id: string }>(
      `insert into sites (name, client_name, address) values ('Gate', 'Client', 'Monrovia') returning id`,
    );
    const site = rows[0]?.id;
    const runs = async () =>
      Number((await owner.query('select sum(runs) as runs from private.jobs')).rows[0]?.runs ?? 0);
    const servers = await Promise.all([startServer(database), startServer(database)]);
    await expect.poll(runs, { timeout: TIMEOUT / 3 }).toBeGreaterThan(0);

    let made = 0;
    for (let killed = 0; killed < KILLS; killed += 1) {
      const before = await runs();
      // Shifts begin without guards all the time, so that the kill falls into a run.
      while ((await runs()) < before + 1) {
        await owner.query(
          `insert into shifts (site_id, start_time, end_time)
         select $1, now(), now() + interval '8 hours' from generate_series(1, $2)`,
          [site, SHIFTS],
        );
        made += SHIFTS;
        await pause(Math.random() * 200);
      }
      const victim = killed % 2;
      const server = servers[victim];
      if (server) await kill(server);
      servers[victim] = await startServer(database);
    }
    const count = async (sql: string) => Number((await owner.query(sql)).rows[0]?.count);
    await expect
      .poll(() => count('select count(*) from alerts'), { timeout: TIMEOUT / 3 })
      .toBe(made);
    expect(
      await count(
        `select count(distinct shift_id) from alerts where kind = 'empty' and closed_at is null`,
      ),
    ).toBe(made);
    // Each alert is in one notice: those of one alert have no number.
    expect(
      await count(
        `select sum(coalesce(substring(title from '^(\\d+) new alerts')::integer, 1)) as count
       from notices where kind = 'alert' and title not like '%acknowledged%'`,
      ),
    ).toBe(made);
  },
  TIMEOUT,
);
