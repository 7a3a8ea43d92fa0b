import type { Pool, PoolClient } from 'pg';
import { expect, it, vi } from 'vitest';
import type { SqlFile } from '#backend/database/apply-file.ts';
import { applyFiles } from '#backend/database/migrate.ts';
import { takeSetupLock } from '#backend/database/setup-lock.ts';
import { withClient } from '#backend/database/with-client.ts';
import { freshDatabase } from '../support/database.ts';

const INDEX: SqlFile = {
  version: '1',
  name: 'index',
  sql: `-- Finds events by day.
    drop index concurrently if exists public.events_day_idx;
    create index concurrently events_day_idx on public.events (day);`,
};

async function withEvents() {
  const { connection, owner } = await freshDatabase('nothing');
  await owner.query('create table public.events (id int primary key, day date)');
  const migrate = (file: SqlFile): Promise<number> =>
    withClient(connection, (client) => applyFiles(client, 'supabase_migrations', [file]));
  const recorded = async (): Promise<unknown[]> =>
    (await owner.query('select version, name from supabase_migrations.schema_migrations')).rows;
  return { connection, owner, migrate, recorded };
}

/** Waits until another session waits for a lock. @returns its process id */
const waiting = (owner: Pool): Promise<number> =>
  vi.waitFor(async () => {
    const { rows } = await owner.query<{ pid: number }>(
      `select l.pid from pg_locks l join pg_stat_activity a using (pid)
       where not l.granted and a.datname = current_database()`,
    );
    const pid = rows[0]?.pid;
    if (pid === undefined) throw new Error('Nobody waits.');
    return pid;
  }, 20_000);

async function openTransaction(owner: Pool, sql: string): Promise<PoolClient> {
  const client = await owner.connect();
  await client.query('begin');
  await client.query(sql);
  return client;
}

async function commit(client: PoolClient): Promise<void> {
  await client.query('commit');
  client.release();
}

it('a migration that waits for a long reader lets writers pass, and is applied afterwards', async () => {
  const { owner, migrate, recorded } = await withEvents();
  const reader = await openTransaction(owner, 'select from public.events');
  const migration = migrate({
    version: '1',
    name: 'column',
    sql: 'alter table public.events add note text;',
  });
  await waiting(owner);
  // Queued behind the migration, which gives up its place while the reader still reads.
  await owner.query("insert into public.events values (1, '2031-01-01')");
  expect(await recorded()).toEqual([]);
  await commit(reader);
  expect(await migration).toBe(1);
  expect(await recorded()).toEqual([{ version: '1', name: 'column' }]);
}, 60_000);

it('a migration that would deadlock with a writer is repeated', async () => {
  const { owner, migrate, recorded } = await withEvents();
  await owner.query('create table public.notes (id int)');
  const writer = await openTransaction(owner, "insert into public.events values (1, '2031-01-01')");
  const sql = 'alter table public.notes add line text; alter table public.events add note text;';
  const migration = migrate({ version: '1', name: 'columns', sql });
  await waiting(owner);
  // Waits for the migration, which waits for the writer. The server ends the one that looks for a deadlock first.
  await writer.query("set local deadlock_timeout = '60s'");
  await writer.query('insert into public.notes values (1)');
  await commit(writer);
  expect(await migration).toBe(1);
  expect(await recorded()).toEqual([{ version: '1', name: 'columns' }]);
}, 60_000);

it('an index is built concurrently while rows are written', async () => {
  const { owner, migrate, recorded } = await withEvents();
  const writer = await openTransaction(owner, "insert into public.events values (1, '2031-01-01')");
  const migration = migrate(INDEX);
  await waiting(owner);
  const other = await openTransaction(owner, "set local lock_timeout = '50ms'");
  await other.query("insert into public.events values (2, '2031-01-02')");
  await commit(other);
  await commit(writer);
  expect(await migration).toBe(1);
  expect(await recorded()).toEqual([{ version: '1', name: 'index' }]);
}, 60_000);

it('an index whose build was interrupted is built again', async () => {
  const { owner, migrate, recorded } = await withEvents();
  const writer = await openTransaction(owner, "insert into public.events values (1, '2031-01-01')");
  const refused = expect(migrate(INDEX)).rejects.toThrow('is repeated at the next start');
  const pid = await waiting(owner);
  await owner.query('select pg_terminate_backend($1, 10000)', [pid]);
  await refused;
  await commit(writer);
  const valid = `select indisvalid from pg_index where indexrelid = 'public.events_day_idx'::regclass`;
  expect((await owner.query(valid)).rows).toEqual([{ indisvalid: false }]);
  expect(await recorded()).toEqual([]);
  expect(await migrate(INDEX)).toBe(1);
  expect((await owner.query(valid)).rows).toEqual([{ indisvalid: true }]);
  expect(await migrate(INDEX)).toBe(0);
}, 60_000);

it('a process that waits for its turn does not block the index of the first', async () => {
  const { connection, owner } = await withEvents();
  await withClient(connection, async (first) => {
    await takeSetupLock(first, 'exclusive');
    const second = await owner.connect();
    const turn = takeSetupLock(second, 'shared');
    expect(await applyFiles(first, 'supabase_migrations', [INDEX])).toBe(1);
    await first.query('select pg_advisory_unlock_all()');
    await turn;
    second.release(true);
  });
}, 60_000);

it.each([
  ['beside other statements', `${INDEX.sql} alter table public.events add note text;`],
  ['that can’t be repeated', 'create index concurrently events_day_idx on public.events (day);'],
  [
    'that would stay invalid',
    'create index concurrently if not exists events_day_idx on public.events (day);',
  ],
])('an index %s is refused', async (_, sql) => {
  const { migrate, recorded } = await withEvents();
  await expect(migrate({ ...INDEX, sql })).rejects.toThrow('has to consist of');
  expect(await recorded()).toEqual([]);
});
