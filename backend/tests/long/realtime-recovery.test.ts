// PostgreSQL restarts or does not permit replication: subscribers are notified, and receive changes again.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { listener, queue, subscribed } from '#tests/support/realtime.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

const TABLE = `
  create table public.ping (id int primary key);
  grant select on public.ping to anon;
  alter publication supabase_realtime add table public.ping;`;

/** Retries until the restarted database accepts it. */
async function insert(server: TestServer, id: number): Promise<void> {
  await expect
    .poll(async () => {
      const query = server.context.database.owner.query('insert into public.ping values ($1)', [
        id,
      ]);
      return query.then(() => 'done').catch(() => 'not yet');
    })
    .toBe('done');
}

describe('after the replication connection was lost', () => {
  it('subscribers are notified of the gap and receive later changes', async () => {
    const server = await testServer({ LOG_LEVEL: 'silent' });
    await server.database.owner.query(TABLE);
    const heard = await subscribed(server.client(), { table: 'ping' });
    await server.database.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_replication where application_name = 'realtime'
       and pid in (select active_pid from pg_replication_slots where database = current_database())`,
    );
    expect(await heard.system.next()).toMatchObject({ status: 'error' });
    expect(await heard.system.next()).toMatchObject({
      status: 'ok',
      message: 'Subscribed to PostgreSQL',
    });
    await insert(server, 1);
    expect((await heard.next()).new).toEqual({ id: 1 });
  });
});

describe('while a long transaction delays the replication stream', () => {
  it('subscribers are notified when broadcasts from the database are ready, and not before', async () => {
    const server = await testServer({ LOG_LEVEL: 'silent' });
    // PostgreSQL starts a replication stream only when all older transactions have ended.
    const long = new pg.Client(server.database.url);
    await long.connect();
    await long.query('begin');
    await long.query('select pg_current_xact_id()');
    const channel = server.client().channel('slow', {
      config: { broadcast: { replication_ready: true } },
    });
    const system = queue<{ message: string }>();
    channel.on('system', {}, (message: { message: string }) => system.push(message));
    const joined = new Promise<string>((resolve) => channel.subscribe((status) => resolve(status)));
    expect(await joined).toBe('SUBSCRIBED');
    const { owner } = server.database;
    const waiting = `select count(*)::int as number from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and l.locktype = 'transactionid' and a.backend_type = 'walsender'`;
    await expect.poll(async () => (await owner.query(waiting)).rows[0]?.number).toBeGreaterThan(0);
    expect(system.length).toBe(0);
    await long.query('commit');
    expect(await system.next()).toMatchObject({ message: 'Replication connection established' });
    await long.end();
  });
});

describe('after PostgreSQL was killed', () => {
  it('subscribers receive changes again as soon as it has restarted', async () => {
    // DATABASE_URL empty: an embedded PostgreSQL, which the server restarts.
    const server = await testServer({ DATABASE_URL: '', LOG_LEVEL: 'silent' });
    const { owner } = server.context.database;
    await owner.query(TABLE);
    const heard = await subscribed(server.client(), { table: 'ping' });
    const { dataDir } = server.context.config;
    const pidFile = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
    process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');

    expect(await heard.system.next()).toMatchObject({ status: 'error' });
    expect(await heard.system.next()).toMatchObject({
      status: 'ok',
      message: 'Subscribed to PostgreSQL',
    });
    await insert(server, 1);
    expect((await heard.next()).new).toEqual({ id: 1 });
    const slots = await owner.query('select slot_name from pg_replication_slots');
    expect(slots.rows).toHaveLength(1);
  }, 60_000);
});

describe('where replication is not permitted', () => {
  it('a join succeeds and reports that live changes are unavailable', async () => {
    const server = await testServer({ LOG_LEVEL: 'silent' });
    const { owner } = server.database;
    const role = `plain_${crypto.randomUUID().slice(0, 8)}`;
    await owner.query(
      `create role ${role} login superuser noreplication password 'pass-for-a-test'`,
    );
    await owner.query(TABLE);
    // A superuser passes every permission check, so the service must log in with another role.
    await owner.query(`alter role ${role} nosuperuser`);
    Object.assign(server.context.database.ownerConnection, {
      user: role,
      password: 'pass-for-a-test',
    });
    const heard = listener(server.client(), { table: 'ping' });
    expect((await heard.statuses.next()).status).toBe('SUBSCRIBED');
    expect(await heard.system.next()).toMatchObject({
      status: 'error',
      extension: 'postgres_changes',
      message: expect.stringContaining('does not permit logical replication'),
    });
    await owner.query(`drop role ${role}`);
  });
});

describe('a server shutdown', () => {
  it('closes sockets and leaves no replication slot behind', async () => {
    const server = await testServer();
    await server.database.owner.query(TABLE);
    await subscribed(server.client(), { table: 'ping' });
    const { rows } = await server.database.owner.query(
      'select slot_name from pg_replication_slots where database = current_database()',
    );
    expect(rows).toHaveLength(1);
    await server.stop();
    const admin = new pg.Client(server.database.connection);
    await admin.connect();
    await expect
      .poll(async () => {
        const left = await admin.query(
          'select slot_name from pg_replication_slots where database = current_database()',
        );
        return left.rows;
      })
      .toEqual([]);
    await admin.end();
  });
});
