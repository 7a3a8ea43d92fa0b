// A PostgreSQL as a hosted Supabase project offers it. Migrations run as `postgres`, which is no superuser and owns
// nothing in the services' schemas (Supabase changelog 34270; supabase/postgres pull request 994).
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client, ClientConfig } from 'pg';
import { openDatabase } from '#backend/database/database.ts';
import { startCluster } from '#backend/database/embedded/cluster.ts';
import { binariesIn, findBinaries } from '#backend/database/embedded/programs.ts';
import { prepareDatabase } from '#backend/database/prepare.ts';
import { splitStatements } from '#backend/database/sql-text.ts';
import { inTransaction, withClient } from '#backend/database/with-client.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
export const MIGRATIONS = path.join(ROOT, 'supabase', 'migrations');
/** The oldest version that the migrations must run on, where Debian's package is installed. */
const DEBIAN_15 = '/usr/lib/postgresql/15/bin';

/** What GoTrue, Storage and Realtime have of what our services have; the rest is removed. */
const TABLES = {
  auth: [
    ...['users', 'identities', 'sessions', 'refresh_tokens', 'audit_log_entries', 'flow_state'],
    ...['mfa_factors', 'mfa_challenges', 'mfa_amr_claims', 'one_time_tokens'],
    ...['sso_providers', 'sso_domains', 'saml_providers', 'saml_relay_states'],
  ],
  storage: ['buckets', 'objects'],
  realtime: ['messages', 'messages_default'],
};
const FUNCTIONS = {
  auth: ['uid', 'role', 'email', 'jwt'],
  storage: ['foldername', 'filename', 'extension', 'search', 'search_v2'],
  realtime: ['topic', 'send', 'broadcast_changes'],
};

/** Until 2026-05-30 tables of a new project were open to its API roles unless that was revoked. */
const OLD_DEFAULTS = `
  alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated, service_role;
  alter default privileges for role postgres in schema public grant all on functions to anon, authenticated, service_role;`;

const MEMBERSHIPS = `
  grant anon, authenticated, service_role to postgres;
  grant anon, authenticated, service_role to authenticator;`;

const RIGHTS = `
  alter schema extensions owner to postgres;
  alter publication supabase_realtime owner to postgres;
  grant usage on schema auth, storage, realtime to postgres;
  grant all on all tables in schema auth to postgres;
  grant all on all tables in schema storage, realtime to postgres with grant option;
  grant all on all functions in schema auth, storage, realtime to postgres;`;

/**
 * Statements that the platform's extension supautils lets `postgres` run on tables of the services
 * (`supautils.policy_grants`, `supautils.drop_trigger_grants`).
 */
const ALLOWED_ON_SERVICES =
  /^(?:--[^\n]*\n|\s)*(?:(?:create|alter|drop)\s+policy|drop\s+trigger)\b[\s\S]*?\son\s+(?:auth|storage|realtime)\./i;

/** The Supabase CLI runs these outside a transaction. */
const CONCURRENT = /\bindex\s+concurrently\b/i;

export interface HostedServer {
  /** @returns the connection of a superuser to a new project */
  createProject(name: string, defaults: 'open tables' | 'closed tables'): Promise<ClientConfig>;
  stop(): Promise<void>;
}

export async function startHostedServer(): Promise<HostedServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hosted-project-'));
  const binaries = existsSync(DEBIAN_15) ? await binariesIn(DEBIAN_15) : await findBinaries();
  const cluster = await startCluster({ dataDir, binaries, settings: { fsync: 'off' } });
  const password = randomBytes(12).toString('base64url');
  await withClient(cluster.connection, (client) =>
    client.query(`create role platform superuser login password '${password}'`),
  );
  const connection = { ...cluster.connection, user: 'platform', password };
  await withClient(connection, (client) =>
    client.query(`
      alter role postgres rename to supabase_admin;
      create role postgres login createrole createdb replication bypassrls;`),
  );
  return {
    createProject: async (name, defaults) => {
      await withClient(connection, (client) =>
        client.query(`create database ${name} owner postgres`),
      );
      const project = { ...connection, database: name };
      await prepareServices(project);
      await withClient(project, async (client) => {
        await client.query(MEMBERSHIPS);
        await removeOurs(client);
        await client.query(RIGHTS);
        if (defaults === 'open tables') await client.query(OLD_DEFAULTS);
      });
      return project;
    },
    stop: async () => {
      await cluster.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Our services' schemas, without migrations. */
async function prepareServices(connection: ClientConfig): Promise<void> {
  const database = openDatabase(connection, 1, () => {});
  const projectDir = await mkdtemp(path.join(tmpdir(), 'no-migrations-'));
  await prepareDatabase(connection, {
    config: { projectDir, databaseUrl: undefined },
    logins: database.logins,
    sourceDir: path.join(ROOT, 'backend', 'src'),
  });
  await database.end();
  await rm(projectDir, { recursive: true });
}

async function removeOurs(client: Client): Promise<void> {
  await client.query('set client_min_messages to warning');
  await client.query(
    'drop event trigger if exists rest_watch_changes; drop event trigger if exists rest_watch_drops',
  );
  await client.query('drop schema platform, rest, supabase_migrations cascade');
  const { rows } = await client.query<{ drop: string }>(
    `select format('drop table if exists %I.%I cascade', schemaname, tablename) as drop from pg_tables
     where schemaname in ('auth', 'storage', 'realtime')
       and not (schemaname || '.' || tablename = any ($1))
     union all
     select format('drop function if exists %s cascade', p.oid::regprocedure) from pg_proc p
     where p.pronamespace in ('auth'::regnamespace, 'storage'::regnamespace, 'realtime'::regnamespace)
       and not (p.pronamespace::regnamespace || '.' || p.proname = any ($2))`,
    [qualified(TABLES), qualified(FUNCTIONS)],
  );
  for (const { drop } of rows) await client.query(drop);
}

const qualified = (names: Record<string, string[]>): string[] =>
  Object.entries(names).flatMap(([schema, own]) => own.map((name) => `${schema}.${name}`));

/** Applies a file as `supabase db push` does. @throws with the file and the statement that was refused */
export async function pushFile(client: Client, file: string): Promise<void> {
  const statements = splitStatements(await readFile(file, 'utf8'));
  if (statements.some((statement) => CONCURRENT.test(statement))) {
    await client.query('set session authorization postgres');
    for (const statement of statements) await client.query(statement);
    await client.query('reset session authorization');
    return;
  }
  await inTransaction(client, async () => {
    await client.query('set local search_path to public, extensions');
    for (const statement of statements) {
      const isAllowed = ALLOWED_ON_SERVICES.test(statement);
      await client.query(`set local session authorization ${isAllowed ? 'default' : 'postgres'}`);
      await client.query(statement).catch((error: Error) => {
        throw new Error(`${path.basename(file)}: ${error.message}\n${statement.slice(0, 300)}`);
      });
    }
    await client.query('set local session authorization default');
  });
}

export async function pushMigrations(connection: ClientConfig): Promise<void> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  await withClient(connection, async (client) => {
    await client.query('set client_min_messages to warning');
    for (const file of files) await pushFile(client, path.join(MIGRATIONS, file));
  });
}
