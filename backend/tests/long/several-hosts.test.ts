// Two PostgreSQL servers in DATABASE_URL, a primary and its standby: the server follows a promotion.
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startCluster } from '#backend/database/embedded/cluster.ts';
import { databaseAddress } from '#backend/database/owner-connection.ts';
import { findPrimary } from '#backend/database/primary.ts';
import { withClient } from '#backend/database/with-client.ts';
import { cleanUp } from '#tests/support/clean-up.ts';
import { subscribed } from '#tests/support/realtime.ts';
import { startProject, startTestServer, testServer } from '#tests/support/server.ts';

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'test-host-'));
  cleanUp(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function start(dataDir: string, settings: Record<string, string> = {}) {
  const cluster = await startCluster({ dataDir, settings: { fsync: 'off', ...settings } });
  cleanUp(() => cluster.stop());
  return cluster;
}

/** @returns a primary, its standby, and DATABASE_URL with the standby first */
async function pair() {
  const [one, two] = [await folder(), await folder()];
  await (await start(one)).stop();
  await cp(one, two, { recursive: true });
  await appendFile(path.join(two, 'postgres', 'standby.signal'), '');
  const primary = await start(one);
  const { user, password, port } = primary.connection;
  const standby = await start(two, {
    primary_conninfo: `host=127.0.0.1 port=${port} user=${user} password=${password}`,
  });
  const hosts = `127.0.0.1:${standby.connection.port},127.0.0.1:${port}`;
  return { one, primary, standby, url: `postgres://${user}:${password}@${hosts}/postgres` };
}

it('a server follows the promotion of the standby, and not the old primary that comes back', async () => {
  const { one, primary, standby, url } = await pair();
  const server = await testServer({ DATABASE_URL: url, LOG_LEVEL: 'silent' });
  const { owner } = server.context.database;
  await owner.query(`
    create table public.ping (id int primary key);
    grant select, insert on public.ping to anon;
    alter publication supabase_realtime add table public.ping`);
  const client = server.client();
  const heard = await subscribed(client, { table: 'ping' });
  const insert = async (id: number) => (await client.from('ping').insert({ id })).status;
  await expect.poll(() => insert(1)).toBe(201);
  expect((await heard.next()).new).toEqual({ id: 1 });

  await primary.stop();
  expect(await insert(2)).toBe(503);
  await withClient(standby.connection, (admin) => admin.query('select pg_promote()'));
  await expect.poll(() => insert(3)).toBe(201);
  expect((await client.from('ping').select()).data).toEqual([{ id: 1 }, { id: 3 }]);
  await expect
    .poll(async () => (await heard.system.next()).message)
    .toBe('Subscribed to PostgreSQL');
  expect(await insert(4)).toBe(201);
  await expect.poll(async () => (await heard.next()).new).toEqual({ id: 4 });

  const back = await start(one);
  const hosts = [back, standby].map(({ connection }) => ({
    host: '127.0.0.1',
    port: connection.port ?? 0,
  }));
  expect(await findPrimary(standby.connection, hosts)).toEqual(hosts[1]);
});

it('DATABASE_URL names one host or several', () => {
  expect(databaseAddress('postgres://me:a%40b@db1,db2:5433,[::1]:5434/company').hosts).toEqual([
    { host: 'db1', port: 5432 },
    { host: 'db2', port: 5433 },
    { host: '::1', port: 5434 },
  ]);
  const { common, hosts } = databaseAddress('postgres://me:a%40b@db1/company?sslmode=require');
  expect(hosts).toEqual([{ host: 'db1', port: 5432 }]);
  expect(common).toMatchObject({ user: 'me', password: 'a@b', database: 'company' });
});

it('a process that starts beside one with other keys, files or address reports it', async () => {
  const one = await testServer();
  const said: string[] = [];
  await startTestServer(one.database, { PROJECT_DIR: 'starter' }, (env) =>
    startProject(env, (message) => said.push(message)),
  );
  expect(said.filter((message) => message.startsWith('Another process'))).toEqual([
    expect.stringContaining('JWT_KEYS'),
    expect.stringContaining('STORAGE_URL'),
    expect.stringContaining('SITE_URL'),
  ]);
});
