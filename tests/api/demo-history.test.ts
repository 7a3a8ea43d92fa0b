// The months of history of a demo company, filled while the server works: a company of two numbers stands for the demo.
import path from 'node:path';
import type pg from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { startTestServer } from 'supabase-in-node/testing/server';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { type DemoCompany, markAsDemo } from '#server/demo/demo-state.ts';
import { startServer } from '#server/start.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

type Step = (client: pg.ClientBase) => Promise<void>;

const writes =
  (number: number): Step =>
  async (client) => {
    await client.query('insert into public.numbers values ($1, current_setting($2))', [
      number,
      'session_replication_role',
    ]);
  };

const companyOf = (...steps: Step[]): DemoCompany => {
  const fillToday: DemoCompany['fillToday'] = async (client, _now, _blobs, onStep) => {
    await client.query('create table public.numbers (number int, role text)');
    onStep?.(1, 1);
  };
  return {
    fillToday,
    fillDemo: async (client, ...rest) => {
      await fillToday(client, ...rest);
      for (const step of steps) await step(client);
    },
    historySteps: () => steps,
  };
};

async function demoDatabase(): Promise<TestDatabase> {
  const database = await freshDatabase();
  const client = await database.owner.connect();
  await markAsDemo(client);
  client.release();
  return database;
}

async function start(database: TestDatabase, company: DemoCompany, isWhole = false) {
  const progress: number[] = [];
  const server = await startTestServer(database, { DEMO: 'on' }, (all) =>
    startServer({
      config: readConfig(all, ROOT),
      demo: {
        load: async () => company,
        isWhole,
        onHistory: ({ done, total }) => progress.push(done / total),
      },
    }),
  );
  const history = async () => (await (await fetch(`${server.url}/readyz`)).json()).demoHistory;
  const config = async () => (await fetch(`${server.url}/app-config.json`)).json();
  return { server, progress, history, config };
}

async function stateOf({ owner }: TestDatabase) {
  const { rows } = await owner.query(
    `select d.state, (select array_agg(n.number order by n.number) from public.numbers n) as numbers,
       (select count(*)::int from private.jobs where next_at > now() + interval '50 minutes'
          and name in ('private.due_time', 'private.sum_for_margin')) as held
     from platform.demo d`,
  );
  return rows[0];
}

/** A step that waits until `open` is called. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    open: () => open(),
    waits:
      (step: Step): Step =>
      async (client) => {
        await opened;
        await step(client);
      },
  };
}

test('follows once the server listens, without triggers, and holds the jobs meanwhile', async () => {
  const database = await demoDatabase();
  const { open, waits } = gate();
  const { server, progress, history, config } = await start(
    database,
    companyOf(writes(1), waits(writes(2))),
  );
  expect(await history()).toBe('filling');
  expect(await config()).toMatchObject({ isDemo: true, isDemoFilling: true });
  await expect.poll(() => progress).toEqual([0, 0.5]);
  expect(await stateOf(database)).toEqual({ state: 'today', numbers: [1], held: 2 });
  open();
  await expect.poll(history).toBeUndefined();
  expect(progress).toEqual([0, 0.5, 1]);
  expect(await config()).not.toHaveProperty('isDemoFilling');
  expect(await stateOf(database)).toEqual({ state: 'loaded', numbers: [1, 2], held: 0 });
  const { rows } = await database.owner.query('select distinct role from public.numbers');
  expect(rows).toEqual([{ role: 'replica' }]);
  await server.stop();
});

test('a stop cancels its step, and the next start goes on with it', async () => {
  const database = await demoDatabase();
  const slow: Step = async (client) => {
    await writes(2)(client);
    await client.query('select pg_sleep(600)');
  };
  const first = await start(database, companyOf(writes(1), slow));
  await expect.poll(() => first.progress).toEqual([0, 0.5]);
  await first.server.stop();
  expect(await stateOf(database)).toMatchObject({ state: 'today', numbers: [1] });
  const second = await start(database, companyOf(writes(1), writes(2)));
  await expect.poll(second.history).toBeUndefined();
  expect(second.progress).toEqual([0.5, 1]);
  expect(await stateOf(database)).toMatchObject({ state: 'loaded', numbers: [1, 2] });
  await second.server.stop();
});

test('repeats a step whose transaction lost against a user, and gives up one that fails', async () => {
  const database = await demoDatabase();
  let attempts = 0;
  const loses: Step = async (client) => {
    attempts += 1;
    await writes(1)(client);
    if (attempts < 3) {
      await client.query(`do $$ begin raise exception 'lost' using errcode = '40P01'; end $$`);
    }
  };
  const fails: Step = async (client) => {
    await client.query('select 1 / 0');
  };
  const { server, history, config } = await start(database, companyOf(loses, fails));
  await expect.poll(history).toBe('failed');
  expect(await config()).not.toHaveProperty('isDemoFilling');
  expect(await stateOf(database)).toMatchObject({ state: 'today', numbers: [1] });
  await server.stop();
});

test('two servers on one database fill it once', async () => {
  const database = await demoDatabase();
  const { open, waits } = gate();
  const company = companyOf(waits(writes(1)), writes(2), writes(3));
  const first = await start(database, company);
  const second = await start(database, company);
  open();
  await expect.poll(first.history).toBeUndefined();
  await expect.poll(second.history).toBeUndefined();
  expect(await stateOf(database)).toMatchObject({ state: 'loaded', numbers: [1, 2, 3] });
  await first.server.stop();
  await second.server.stop();
});

test('is there before the server listens where that is asked for', async () => {
  const database = await demoDatabase();
  const { server, history, progress } = await start(database, companyOf(writes(1)), true);
  expect(await history()).toBeUndefined();
  expect(progress).toEqual([]);
  expect(await stateOf(database)).toEqual({ state: 'loaded', numbers: [1], held: 0 });
  await server.stop();
});
