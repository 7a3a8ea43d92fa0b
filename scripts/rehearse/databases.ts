// A primary and its synchronous standby, from the machine's PostgreSQL packages.
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { withClient } from 'supabase-in-node/with-client';
import { end, findProgram, freePort, readIfThere, run, runPostgres, until } from './programs.ts';

const DEBIAN = '/usr/lib/postgresql';
const START_MS = 30_000;
const OWNER = 'owner';

export interface Databases {
  /** For the nodes: both hosts. */
  url: string;
  version: string;
  /** Runs one statement on the present primary. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  killPrimary(): Promise<void>;
  /** @returns milliseconds until the standby takes writes */
  promote(): Promise<number>;
  killStandby(): Promise<void>;
  startStandby(): Promise<void>;
  /** Whether a commit waits until the standby has it on disk. */
  waitForStandby(isWanted: boolean): Promise<void>;
}

function binFolders(): string[] {
  const versions = readIfThere(DEBIAN).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => path.join(DEBIAN, version, 'bin'));
}

class Server {
  child: ChildProcess | undefined;

  constructor(
    readonly dataDir: string,
    readonly port: number,
    private readonly program: string,
  ) {}

  get connection() {
    return { host: '127.0.0.1', port: this.port, user: OWNER, database: 'postgres' };
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return withClient(
      { ...this.connection, connectionTimeoutMillis: 2_000 },
      async (client) => (await client.query<Row>(text, values)).rows,
    );
  }

  async start(): Promise<void> {
    this.child = run(this.program, ['-D', this.dataDir, '-p', String(this.port)], {
      log: `${this.dataDir}.log`,
      asPostgres: true,
    });
    await until('the start of PostgreSQL', START_MS, async () => {
      await this.query('select 1');
      return true;
    });
  }

  async kill(): Promise<void> {
    // The whole server at once, as when a machine loses its power: SIGKILL of the postmaster ends its children.
    if (this.child) await end(this.child, 'SIGKILL');
  }
}

export async function startDatabases(folder: string): Promise<Databases> {
  const bins = binFolders();
  const program = (name: string) => findProgram(name, bins, 'postgresql');
  const open = path.join(folder, 'postgres');
  mkdirSync(open);
  chmodSync(open, 0o777);
  const server = async (name: string) =>
    new Server(path.join(open, name), await freePort(), program('postgres'));
  let primary = await server('one');
  let standby = await server('two');

  runPostgres(program('initdb'), ['-D', primary.dataDir, '-U', OWNER, '-A', 'trust', '-E', 'UTF8']);
  appendFileSync(
    path.join(primary.dataDir, 'postgresql.conf'),
    `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
wal_level = logical
max_connections = 100
max_wal_senders = 20
max_replication_slots = 20
max_slot_wal_keep_size = '1GB'
synchronous_commit = on
`,
  );
  await primary.start();
  await primary.query(`select pg_create_physical_replication_slot('standby')`);
  runPostgres(program('pg_basebackup'), [
    ...['-D', standby.dataDir, '-R', '-X', 'stream', '-S', 'standby', '-c', 'fast'],
    ...[
      '-d',
      `host=127.0.0.1 port=${primary.port} user=${OWNER} dbname=postgres application_name=standby`,
    ],
  ]);
  await standby.start();
  const isStreaming = async () =>
    (await primary.query(`select 1 from pg_stat_replication where application_name = 'standby'`))
      .length > 0;
  await until('the standby follows', START_MS, isStreaming);
  const [version] = await primary.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  const databases: Databases = {
    url: `postgres://${OWNER}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    version: version?.version ?? '',
    query: (text, values) => primary.query(text, values),
    killPrimary: () => primary.kill(),
    killStandby: () => standby.kill(),
    startStandby: async () => {
      await standby.start();
      await until('the standby follows again', START_MS, isStreaming);
    },
    waitForStandby: async (isWanted) => {
      await primary.query(
        `alter system set synchronous_standby_names = '${isWanted ? 'standby' : ''}'`,
      );
      await primary.query('select pg_reload_conf()');
    },
    promote: async () => {
      const started = performance.now();
      await standby.query('select pg_promote()');
      [primary, standby] = [standby, primary];
      return performance.now() - started;
    },
  };
  return databases;
}
