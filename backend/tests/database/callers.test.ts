// Isolation of callers: what a request sets ends with it, and a failed request affects no other.
import { DatabaseError, type Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller } from '#backend/database/callers.ts';
import { type Database, openDatabase } from '#backend/database/database.ts';
import { TooManyQueries } from '#backend/database/fair-pool.ts';
import { freshDatabase } from '#tests/support/database.ts';

let database: Database;
let owner: Pool;

beforeAll(async () => {
  const fresh = await freshDatabase();
  ({ owner } = fresh);
  await owner.query(`
    create table public.post (id int primary key, holder text);
    grant all on public.post to authenticated;
    create function public.forget_myself() returns void language sql
      as $$ select set_config('role', 'service_role', false) $$;`);
  // One connection, so that each request runs on the connection of the one before.
  database = openDatabase(fresh.connection, 1, () => {});
});

afterAll(() => database.end());

const guard = (sub: string): Caller => ({
  role: 'authenticated',
  claims: JSON.stringify({ sub, role: 'authenticated' }),
});
const anon: Caller = { role: 'anon', claims: '{"role":"anon"}' };
const WHO = { text: `select current_user::text, auth.jwt() ->> 'sub'`, values: [] };

describe('a request', () => {
  it('runs with the role and claims of its own caller', async () => {
    expect((await database.callers.run(guard('a'), WHO)).rows).toEqual([['authenticated', 'a']]);
    expect((await database.callers.run(anon, WHO)).rows).toEqual([['anon', null]]);
    expect((await database.callers.run(guard('b'), WHO)).rows).toEqual([['authenticated', 'b']]);
  });

  it('leaves the connection with a role that has no rights', async () => {
    await database.callers.run(guard('a'), WHO);
    const { rows } = await database.callers.pool.query(
      `select current_user::text as user, current_setting('request.jwt.claims', true) as claims`,
    );
    expect(rows).toEqual([{ user: 'authenticator', claims: '' }]);
    await expect(database.callers.pool.query('select * from public.post')).rejects.toThrow(
      'permission denied',
    );
  });

  it('gets no rights from a role that an earlier request set', async () => {
    await database.callers.run(guard('a'), { text: 'select public.forget_myself()', values: [] });
    expect((await database.callers.run(guard('b'), WHO)).rows).toEqual([['authenticated', 'b']]);
    await database.callers.pool.query('reset role');
  });

  it('is rolled back as a whole when it fails, and the connection stays usable', async () => {
    const insert = { text: 'insert into public.post values ($1)', values: ['1'] };
    const divide = { text: 'insert into public.post select 1 / ($1::int - 1)', values: ['1'] };
    await expect(database.callers.run(guard('a'), divide)).rejects.toBeInstanceOf(DatabaseError);
    await database.callers.run(guard('a'), insert);
    await expect(database.callers.run(guard('a'), insert)).rejects.toMatchObject({ code: '23505' });
    const count = { text: 'select count(*) from public.post', values: [] };
    expect((await database.callers.run(guard('a'), count)).rows).toEqual([['1']]);
  });

  it('is not compiled by PostgreSQL', async () => {
    // False where PostgreSQL has no compiler, and where the login switches it off.
    const jit = { text: 'select pg_jit_available()', values: [] };
    expect((await database.callers.run(guard('a'), jit)).rows).toEqual([['f']]);
  });

  it('whose prepared statement fails to parse affects no later request', async () => {
    const broken = { text: 'selekt 1', values: [] };
    for (let round = 0; round < 3; round += 1) {
      await expect(database.callers.run(anon, broken)).rejects.toMatchObject({ code: '42601' });
    }
    expect((await database.callers.run(anon, WHO)).rows).toHaveLength(1);
  });

  it("can't write in a read-only transaction", async () => {
    const write = { text: `insert into public.post values (99)`, values: [] };
    await expect(database.callers.run(guard('a'), write, { readOnly: true })).rejects.toMatchObject(
      { code: '25006' },
    );
  });

  it('is planned again when the table of a prepared statement changed', async () => {
    const all = { text: 'select * from public.post order by id', values: [] };
    expect((await database.callers.run(guard('a'), all)).fields).toEqual(['id', 'holder']);
    await database.owner.query('alter table public.post add relief text');
    expect((await database.callers.run(guard('a'), all)).fields).toEqual([
      'id',
      'holder',
      'relief',
    ]);
  });

  it('closes prepared statements that leave the cache', async () => {
    for (let number = 0; number < 400; number += 1) {
      await database.callers.run(anon, { text: `select ${number}`, values: [] });
    }
    const { rows } = await database.callers.pool.query<{ count: number }>(
      'select count(*)::int as count from pg_prepared_statements',
    );
    expect(rows[0]?.count).toBeLessThanOrEqual(260);
  });

  it('is retried after a deadlock', async () => {
    const { connection, owner } = await freshDatabase();
    await owner.query(`create table public.pair (id int primary key, n int);
      insert into public.pair values (1, 0), (2, 0); grant all on public.pair to authenticated;
      create function public.bump(first int, second int) returns void language plpgsql as $$
      begin
        update public.pair set n = n + 1 where id = first;
        perform pg_sleep(0.02);
        update public.pair set n = n + 1 where id = second;
      end $$;
      alter database ${connection.database} set deadlock_timeout = '20ms'`);
    const many = openDatabase(connection, 4, () => {});
    const bump = (first: string, second: string) =>
      many.callers.run(guard('a'), {
        text: 'select public.bump($1::int, $2::int)',
        values: [first, second],
      });
    await Promise.all([bump('1', '2'), bump('2', '1'), bump('1', '2'), bump('2', '1')]);
    const { rows } = await owner.query('select n from public.pair order by id');
    expect(rows).toEqual([{ n: 4 }, { n: 4 }]);
    await many.end();
  });
});

describe('the per-account queue', () => {
  const account = (name: string): Caller => ({ ...guard(name), account: name });
  const nap = { text: 'select pg_sleep(0.01)', values: [] };

  it('serves accounts in turn and keeps the order within an account', async () => {
    const order: string[] = [];
    const send = (name: string, number: number) =>
      database.callers.run(account(name), nap).then(() => order.push(`${name}${number}`));
    await Promise.all([
      ...[1, 2, 3, 4].map((number) => send('a', number)),
      ...[1, 2].map((number) => send('b', number)),
      send('c', 1),
    ]);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('groups anonymous callers by network', async () => {
    const order: string[] = [];
    const send = (network: string, number: number) =>
      database.callers.run(anon, nap, { network }).then(() => order.push(`${network} ${number}`));
    await Promise.all([send('x', 1), send('x', 2), send('x', 3), send('y', 1)]);
    expect(order).toEqual(['x 1', 'y 1', 'x 2', 'x 3']);
  });

  it('limits an account to its share of any number of connections', async () => {
    const { connection, owner } = await freshDatabase();
    const many = openDatabase(connection, 6, () => {}, { connections: 2, waiting: 3 });
    const gate = await owner.connect();
    await gate.query('select pg_advisory_lock(1)');
    const wait = { text: 'select pg_advisory_lock_shared(1)', values: [] };
    const asked = Array.from({ length: 6 }, () => many.callers.run(account('a'), wait));
    const settled = Promise.allSettled(asked);
    // Two requests are running and three are queued, so the sixth is rejected at once.
    await expect(asked[5]).rejects.toBeInstanceOf(TooManyQueries);
    // Another account is still served.
    expect((await many.callers.run(account('b'), WHO)).rows).toEqual([['authenticated', 'b']]);
    const { rows } = await owner.query<{ n: number }>(
      `select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(rows[0]?.n).toBeLessThanOrEqual(2);
    await gate.query('select pg_advisory_unlock(1)');
    gate.release();
    expect((await settled).map(({ status }) => status)).toEqual([
      ...Array(5).fill('fulfilled'),
      'rejected',
    ]);
    await many.end();
  });
});

describe('the connections of one account', () => {
  /** @returns how many of eight connections served an account that asks again as soon as it is answered */
  async function connectionsOf(seconds: number, times: number, readOnly = false): Promise<number> {
    const { connection } = await freshDatabase();
    const many = openDatabase(connection, 8, () => {});
    const statement = { text: `select pg_backend_pid(), pg_sleep(${seconds})`, values: [] };
    const used = new Set<string | null | undefined>();
    const askAgain = async (): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        const caller = { ...guard('a'), account: 'a' };
        const { rows } = await many.callers.run(caller, statement, { readOnly });
        used.add(rows[0]?.[0]);
      }
    };
    await Promise.all(Array.from({ length: 12 }, askAgain));
    await many.end();
    return used.size;
  }

  it('are half for reads', async () => {
    expect(await connectionsOf(0.001, 40, true)).toBe(4);
  });

  it('are three quarters for short writes', async () => {
    expect(await connectionsOf(0.001, 40)).toBe(6);
  });

  it('are half for writes that take long', async () => {
    expect(await connectionsOf(0.25, 2)).toBe(4);
  });
});

describe('quick writes of one account', () => {
  const caller = { ...guard('a'), account: 'a' };
  const add = (id: number) => ({
    text: 'insert into public.post select $1::int from pg_advisory_xact_lock_shared(7)',
    values: [String(id)],
  });
  const count = { text: 'select count(*) from public.post where id > 1000', values: [] };

  it('are sent behind each other, reads not behind them', async () => {
    const { callers } = database;
    await callers.run(caller, add(1001));
    await callers.run(caller, count, { readOnly: true });
    const gate = await owner.connect();
    await gate.query('select pg_advisory_lock(7)');
    // The second fails and must not take the others with it.
    const writes = [add(1002), add(1002), add(1003)].map((one) => callers.run(caller, one));
    const settled = Promise.allSettled(writes);
    await vi.waitUntil(() => callers.load.waiting === 0);
    const read = callers.run(caller, count, { readOnly: true });
    expect(callers.load.waiting).toBe(1);
    await gate.query('select pg_advisory_unlock(7)');
    gate.release();
    expect((await settled).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect((await read).rows).toEqual([['3']]);
  });
});

describe('a transaction of several steps', () => {
  it('is atomic and runs as its caller', async () => {
    const work = database.callers.transaction(guard('a'), async (run) => {
      await run({ text: 'insert into public.post (id) values (50)', values: [] });
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    const who = await database.callers.transaction(guard('c'), (run) => run(WHO));
    expect(who.rows).toEqual([['authenticated', 'c']]);
    const count = { text: 'select count(*) from public.post where id = 50', values: [] };
    expect((await database.callers.run(guard('a'), count)).rows).toEqual([['0']]);
  });
});

it('reports idle connections that break, but not those that the server closes while all end', async () => {
  const onError = vi.fn();
  const opened = openDatabase(database.ownerConnection, 1, onError);
  // One that keeps its connection busy, so that the end waits for it.
  const busy = await opened.owner.connect();
  const idle = await opened.owner.connect();
  idle.release();
  const stopped = new Error('terminating connection due to administrator command');
  opened.owner.emit('error', stopped, idle);
  expect(onError).toHaveBeenCalledExactlyOnceWith(stopped);
  const ended = opened.end();
  opened.owner.emit('error', stopped, idle);
  busy.release();
  await ended;
  expect(onError).toHaveBeenCalledTimes(1);
});
