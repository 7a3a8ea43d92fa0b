// Two releases on one database: the new one expands it while the old one serves, then the old one stops.
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { exportJWK, generateKeyPair } from 'jose';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import ws from 'ws';
import { z } from 'zod';
import { startCluster } from '#backend/database/embedded/cluster.ts';
import { withClient } from '#backend/database/with-client.ts';
import { insertAccounts } from '#server/set-up-accounts.ts';
import { emptyFolder, ended, started, stopped } from './program.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const EMAIL = 'admin@side.example';
const PASSWORD = 'correct-horse-7';
const NEXT = '20991231000000';

/** Replaces `location` by `town` in two releases: this is the first, which keeps both in step. */
const EXPANDING = `
alter table public.clients add column town text;
create function private.keep_town() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.town := coalesce(new.town, new.location);
  elsif new.location is distinct from old.location then
    new.town := new.location;
  end if;
  return new;
end
$$;
create trigger c_keep_town before insert or update on public.clients
  for each row execute function private.keep_town();
update public.clients set town = location;

create table public.client_visits (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references public.clients (id) on delete cascade,
  purpose text not null
);
alter table public.client_visits enable row level security;
grant select, insert on public.client_visits to authenticated;
create policy "Admins read visits" on public.client_visits
  for select to authenticated using ((select private.has_role('admin')));
create policy "Admins add visits" on public.client_visits
  for insert to authenticated with check ((select private.has_role('admin')));
alter publication supabase_realtime add table public.client_visits;

create or replace function public.client_totals(p_search text default null)
returns table (client_count integer, total_guards integer, monthly_revenue numeric)
language sql stable set search_path = '' as $$
  select count(*)::integer, 0, 0::numeric from public.clients c;
$$;
`;

const Config = z.object({ supabaseAnonKey: z.string() });
const Rows = z.array(z.object({ id: z.string(), town: z.string().nullish() }));

/** The next release: today's program with one migration more. */
async function nextProject(): Promise<string> {
  const folder = await emptyFolder();
  await cp(path.join(ROOT, 'supabase'), path.join(folder, 'supabase'), { recursive: true });
  await writeFile(path.join(folder, 'supabase', 'migrations', `${NEXT}_towns.sql`), EXPANDING);
  return folder;
}

async function signingKeys(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'shared', alg: 'ES256', use: 'sig' };
  return JSON.stringify({ keys: [key] });
}

async function createAdmin(connection: string): Promise<void> {
  const id = crypto.randomUUID();
  await withClient({ connectionString: connection }, async (client) => {
    await insertAccounts(client, [{ id, email: EMAIL, fullName: 'Side' }], PASSWORD);
    await client.query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [id]);
  });
}

async function signIn(url: string): Promise<SupabaseClient> {
  const { supabaseAnonKey } = Config.parse(await (await fetch(`${url}/app-config.json`)).json());
  const client = createClient(url, supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws as never },
  });
  const { error } = await client.auth.signInWithPassword({ email: EMAIL, password: PASSWORD });
  expect(error).toBeNull();
  return client;
}

/** Collects the ids of inserted rows that arrive as live changes. */
async function follow(client: SupabaseClient, table: string): Promise<Map<string, unknown>> {
  const seen = new Map<string, unknown>();
  await new Promise<void>((resolve, reject) => {
    client
      .channel(table)
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table }, (change) =>
        seen.set(String(change.new.id), change.new),
      )
      .on('system', {}, (message: { status: string; message: string }) =>
        message.status === 'ok' ? resolve() : reject(new Error(message.message)),
      )
      .subscribe();
  });
  return seen;
}

let counter = 0;

async function addClient(client: SupabaseClient, more: object = {}): Promise<string> {
  counter += 1;
  const row = { name: `Client ${counter}`, location: 'Paynesville', number_of_guards: 1 };
  const { data } = await client
    .from('clients')
    .insert({ ...row, monthly_rate: 10, ...more })
    .select('id')
    .single()
    .throwOnError();
  return z.object({ id: z.string() }).parse(data).id;
}

/** Reads and writes without a pause. @returns how to stop, with the ids of what was acknowledged */
function work(client: SupabaseClient): () => Promise<string[]> {
  const acknowledged: string[] = [];
  let isOver = false;
  const rounds = (async () => {
    while (!isOver) {
      const id = await addClient(client);
      acknowledged.push(id);
      const { data } = await client.from('clients').select('*').eq('id', id).throwOnError();
      expect(data).toHaveLength(1);
      await client.from('clients').update({ monthly_rate: 11 }).eq('id', id).throwOnError();
      await client.rpc('client_totals').throwOnError();
    }
    return acknowledged;
  })();
  // Reported when it is awaited.
  rounds.catch(() => {});
  return () => {
    isOver = true;
    return rounds;
  };
}

describe.each([
  ['a superuser', undefined],
  // It may create no event triggers, which reload the schema cache after a change of tables.
  ['an account without superuser rights', 'company'],
])('a new release beside the old one, on a database of %s', (_, owner) => {
  it('expands the tables while the old one serves, and nothing is lost when the old one stops', async () => {
    const cluster = await startCluster({
      dataDir: await emptyFolder(),
      settings: { fsync: 'off' },
    });
    try {
      const { user, password: secret, host, port } = cluster.connection;
      const superuser = `postgres://${user}:${secret}@${host}:${port}/postgres`;
      if (owner !== undefined) {
        await withClient(cluster.connection, async (client) => {
          const name = pg.escapeIdentifier(owner);
          await client.query(
            `create role ${name} login createrole bypassrls replication password 'secret'`,
          );
          await client.query(`create database company owner ${name}`);
        });
      }
      const DATABASE_URL =
        owner === undefined ? superuser : `postgres://${owner}:secret@${host}:${port}/company`;
      const shared = { DATABASE_URL, JWT_KEYS: await signingKeys() };
      const oldEnv = { ...shared, DATA_DIR: await emptyFolder() };
      const old = await started(oldEnv);
      await createAdmin(DATABASE_URL);
      const atOld = await signIn(old.url);
      const seenAtOld = await follow(atOld, 'clients');
      const stopWork = work(atOld);

      const next = await started({
        ...shared,
        DATA_DIR: await emptyFolder(),
        PROJECT_DIR: await nextProject(),
      });
      const atNext = await signIn(next.url);
      const seenAtNext = await follow(atNext, 'clients');

      // Each sees what the other writes, and the trigger fills what the old one doesn't know.
      const byNext = await addClient(atNext, { town: 'Harbel' });
      const byOld = await addClient(atOld);
      await expect.poll(() => seenAtOld.get(byNext)).toMatchObject({ town: 'Harbel' });
      await expect.poll(() => seenAtNext.get(byOld)).toMatchObject({ town: 'Paynesville' });

      // The old one serves new columns and tables, too: pages of the new release may reach it.
      const visitsAtOld = await follow(atOld, 'client_visits');
      const visit = { id: crypto.randomUUID(), client_id: byNext, purpose: 'Contract' };
      await atNext.from('client_visits').insert(visit).throwOnError();
      await expect.poll(() => visitsAtOld.get(visit.id)).toMatchObject(visit);
      const visits = () => atOld.from('client_visits').select('purpose, clients (town)');
      await expect
        .poll(async () => (await visits()).data)
        .toEqual([{ purpose: 'Contract', clients: { town: 'Harbel' } }]);

      // It does not come back after a restart. A refused start changes nothing for the others.
      const again = await ended({ ...oldEnv, DATA_DIR: await emptyFolder() });
      expect(again.code).toBe(1);
      expect(again.output).toContain(
        `A newer version of the program has upgraded this database (migration ${NEXT})`,
      );

      const acknowledged = [...(await stopWork()), byOld, byNext];
      await expect.poll(() => acknowledged.filter((id) => !seenAtOld.has(id))).toEqual([]);
      await atOld.removeAllChannels();
      await stopped(old.child);

      const { data } = await atNext.from('clients').select('id, town').limit(1000).throwOnError();
      const stored = Rows.parse(data);
      expect(stored.map(({ id }) => id).sort()).toEqual(acknowledged.sort());
      expect(stored.filter(({ town }) => town === null)).toEqual([]);
      await addClient(atNext);
      await atNext.removeAllChannels();
      await stopped(next.child);
    } finally {
      await cluster.stop();
    }
    // Three programs on a database that is made first.
  }, 240_000);
});
