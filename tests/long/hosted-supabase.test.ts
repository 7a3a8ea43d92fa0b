// The migrations use only what a hosted Supabase project offers: on one as it was, and on one with closed tables.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ClientConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withClient } from '#backend/database/with-client.ts';
import { JOBS } from '#server/operations/work.ts';
import {
  type HostedServer,
  MIGRATIONS,
  pushFile,
  pushMigrations,
  startHostedServer,
} from '#tests/support/hosted-project.ts';

/** Of those that a project offers (Supabase docs, "Postgres Extensions Overview"), those that we use. */
const EXTENSIONS = ['btree_gist', 'pg_trgm', 'pgcrypto', 'plpgsql', 'uuid-ossp'];
/** A project refuses these, or they would need a superuser at run time. */
const FORBIDDEN: [what: string, pattern: RegExp][] = [
  ['settings of the server', /\balter\s+system\b/i],
  ['event triggers', /\bcreate\s+event\s+trigger\b/i],
  // `set local` is open to the role postgres of a project (supautils.privileged_role_allowed_configs).
  [
    'another way to change session_replication_role',
    /(?<!\bset local )\bsession_replication_role\b/i,
  ],
  ['programs and files of the server', /\bcopy\b[^;]*\b(from|to)\s+(program\b|')/i],
  ['rows of stored files, which must be removed through the API', /\bdelete\s+from\s+storage\./i],
  [
    'new objects in the schemas of the services',
    /\bcreate\s+(or\s+replace\s+)?(table|view|function|index|type)\s+(if\s+not\s+exists\s+)?(auth|storage|realtime|vault|graphql)\./i,
  ],
  ['tables of our own backend', /\bplatform\./i],
];

/** A project resolves the imports of a function by the file beside it. */
const Deno = z.object({ imports: z.record(z.string(), z.string()) });

let server: HostedServer;
let earlier: ClientConfig;
let today: ClientConfig;

const rows = async <Row extends object>(connection: ClientConfig, text: string): Promise<Row[]> =>
  withClient(connection, async (client) => (await client.query<Row>(text)).rows);

beforeAll(async () => {
  server = await startHostedServer();
  earlier = await server.createProject('earlier', 'open tables');
  today = await server.createProject('today', 'closed tables');
  await pushMigrations(earlier);
  await pushMigrations(today);
}, 300_000);

afterAll(() => server.stop());

describe('a hosted Supabase project', () => {
  it('takes all migrations and the seed from an account without superuser rights', async () => {
    const [role] = await rows(today, `select rolsuper from pg_roles where rolname = 'postgres'`);
    expect(role).toEqual({ rolsuper: false });
    await withClient(today, (client) => pushFile(client, path.join(MIGRATIONS, '..', 'seed.sql')));
    const [count] = await rows<{ courses: number }>(
      today,
      'select count(*)::int as courses from public.training_courses',
    );
    expect(count?.courses).toBeGreaterThan(0);
  });

  it('needs no extension that it does not offer', async () => {
    const found = await rows<{ extname: string }>(today, 'select extname from pg_extension');
    expect(found.map(({ extname }) => extname).sort()).toEqual(EXTENSIONS);
  });

  it('gets nothing of ours in the schemas of its services', async () => {
    const objects = await rows(
      today,
      `select relname::text as name from pg_class
       where relowner = 'postgres'::regrole and relnamespace::regnamespace::text in ('auth', 'storage', 'realtime')
       union all
       select proname from pg_proc
       where proowner = 'postgres'::regrole and pronamespace::regnamespace::text in ('auth', 'storage', 'realtime')
       union all
       select evtname from pg_event_trigger`,
    );
    expect(objects).toEqual([]);
  });

  it.each(FORBIDDEN)('finds no %s in a migration', async (_, pattern) => {
    const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql'));
    const found: string[] = [];
    for (const file of files) {
      const text = await readFile(path.join(MIGRATIONS, file), 'utf8');
      if (pattern.test(text.replace(/--[^\n]*/g, ''))) found.push(file);
    }
    expect(found).toEqual([]);
  });

  it('gives its API roles the same rights whether or not new tables are open to them', async () => {
    const rights = (connection: ClientConfig) =>
      rows<{ rights: string }>(
        connection,
        `select format('%s %s %s', r.rolname, p.privilege, c.oid::regclass) as rights
         from pg_class c,
           unnest('{anon,authenticated,service_role}'::regrole[]) as role (oid) join pg_roles r on r.oid = role.oid,
           unnest('{select,insert,update,delete}'::text[]) as p (privilege)
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p')
           and has_table_privilege(r.oid, c.oid, p.privilege)
         union all
         select format('%s execute %s', r.rolname, f.oid::regprocedure)
         from pg_proc f, unnest('{anon,authenticated,service_role}'::regrole[]) as role (oid) join pg_roles r on r.oid = role.oid
         where f.pronamespace = 'public'::regnamespace and has_function_privilege(r.oid, f.oid, 'execute')
         union all
         select format('%s usage %s', r.rolname, c.oid::regclass)
         from pg_class c, unnest('{anon,authenticated,service_role}'::regrole[]) as role (oid) join pg_roles r on r.oid = role.oid
         where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and has_sequence_privilege(r.oid, c.oid, 'usage')
         order by 1`,
      );
    const open = (await rights(earlier)).map((row) => row.rights);
    const closed = new Set((await rights(today)).map((row) => row.rights));
    expect(open.filter((right) => !closed.has(right))).toEqual([]);
    expect(closed.size).toBe(open.length);
  });

  it('runs the repeated work of the servers, as its scheduler would', async () => {
    await withClient(today, async (client) => {
      await client.query('set session authorization postgres');
      for (const { name: run, everySeconds } of JOBS) {
        const { rows: found } = await client.query(
          'select private.run_job($1, make_interval(secs => $2)) as ran',
          [run, everySeconds],
        );
        expect(found, run).toEqual([{ ran: true }]);
      }
      await client.query(
        'select public.expand_demand(private.company_date() - 1, private.company_date() + private.demand_horizon_days())',
      );
    });
  });

  it.each(['client-link', 'invite-client', 'invite-user', 'resend-invitation', 'use-start-code'])(
    'finds the packages of the function %s',
    async (name) => {
      const file = path.join(MIGRATIONS, '..', 'functions', name, 'deno.json');
      const { imports } = Deno.parse(JSON.parse(await readFile(file, 'utf8')));
      expect(Object.keys(imports).sort()).toEqual(['@supabase/supabase-js', 'zod']);
    },
  );

  it('runs triggers and policies: an account gets a profile, and its role decides what it reads', async () => {
    const [admin, guard] = [crypto.randomUUID(), crypto.randomUUID()];
    await withClient(today, async (client) => {
      await client.query('set role supabase_auth_admin');
      await client.query(
        `insert into auth.users (id, aud, role, email, raw_user_meta_data)
         values ($1, 'authenticated', 'authenticated', 'admin@hosted.example', '{"full_name": "Ann"}'),
           ($2, 'authenticated', 'authenticated', 'guard@hosted.example', '{"full_name": "Gus"}')`,
        [admin, guard],
      );
      await client.query('set role postgres');
      await client.query(
        `insert into public.user_roles (user_id, role) values ($1, 'admin'), ($2, 'guard')`,
        [admin, guard],
      );
      const become = async (id: string): Promise<void> => {
        const claims = JSON.stringify({ sub: id, role: 'authenticated', aal: 'aal1' });
        await client.query('reset role');
        await client.query(
          `select set_config('role', 'authenticated', false), set_config('request.jwt.claims', $1, false)`,
          [claims],
        );
      };
      await become(admin);
      await client.query(
        `insert into public.clients (name, number_of_guards, monthly_rate, location) values ('Port', 2, 10, 'Monrovia')`,
      );
      expect((await client.query('select from public.clients')).rowCount).toBe(1);
      expect((await client.query('select from public.profiles')).rowCount).toBe(2);
      await become(guard);
      expect((await client.query('select from public.clients')).rowCount).toBe(0);
      expect((await client.query('select from public.profiles')).rowCount).toBe(1);
    });
  });
});
