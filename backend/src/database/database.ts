import { createHmac } from 'node:crypto';
import pg from 'pg';
import { TracedCallers } from '../tracing/traced-callers.ts';
import { tracePool } from '../tracing/traced-pool.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { Callers } from './callers.ts';
import { cancelRunning } from './cancel.ts';
import type { ShareLimits } from './fair-pool.ts';
import type { DatabaseHost } from './primary.ts';
import { sharedBufferSocket } from './wire/message-reader.ts';

export interface Database {
  /** Runs callers' queries. Logs in as `authenticator`, which owns nothing and inherits nothing. */
  callers: Callers;
  /** The auth service's own tables, as `supabase_auth_admin`. */
  auth: pg.Pool;
  /** The storage service's own tables, as `supabase_storage_admin`, which bypasses row-level security of objects. */
  storage: pg.Pool;
  /** Migrations, the schema cache and the change feed, as the owner of the database. Never for a caller's query. */
  owner: pg.Pool;
  /** Connection settings of the owner, for LISTEN and replication connections. */
  ownerConnection: pg.ClientConfig;
  /** Service logins and their passwords, for the platform to create. */
  logins: Record<ServiceLogin, string>;
  /** Opens further connections at another server, which has taken the place of the first. */
  moveTo(host: DatabaseHost): void;
  /** Waits for the callers' statements. What the owner's connections still run is cancelled: all of it can be repeated. */
  end(): Promise<void>;
}

export type ServiceLogin = 'authenticator' | 'supabase_auth_admin' | 'supabase_storage_admin';

/** Derived, so that every process on one database arrives at the same password. */
function passwordOf(owner: pg.ClientConfig, login: ServiceLogin): string {
  const secret = typeof owner.password === 'string' ? owner.password : '';
  return createHmac('sha256', secret).update(`login:${login}`).digest('base64url');
}

/**
 * @param owner connection settings of a role that may create roles and schemas
 * @param poolSize connections for callers; the services get a few of their own
 * @param onError called for failures of idle connections, which pg would otherwise throw
 * @param limits of one account's share of the callers' connections
 * @param tracing records statements and waits
 */
export function openDatabase(
  owner: pg.ClientConfig,
  poolSize: number,
  onError: (error: Error) => void,
  limits: ShareLimits = {},
  tracing?: Tracing,
): Database {
  const logins: Record<ServiceLogin, string> = {
    authenticator: passwordOf(owner, 'authenticator'),
    supabase_auth_admin: passwordOf(owner, 'supabase_auth_admin'),
    supabase_storage_admin: passwordOf(owner, 'supabase_storage_admin'),
  };
  const pool = (max: number, login?: ServiceLogin): pg.Pool => {
    const made = new pg.Pool({
      ...owner,
      ...(login === undefined ? {} : { user: login, password: logins[login] }),
      // With TLS pg creates its own socket.
      ...(login === 'authenticator' && !owner.ssl ? { stream: sharedBufferSocket } : {}),
      max,
      connectionTimeoutMillis: 10_000,
      application_name: login ?? 'owner',
    });
    // While it ends, the server may close a connection before the goodbye that is on its way.
    made.on('error', (error) => {
      if (!made.ending) onError(error);
    });
    // The pool listens to idle connections only: one that dies while checked out would crash the process.
    made.on('connect', (client) => client.on('error', () => {}));
    if (tracing !== undefined) tracePool(made, tracing, login !== 'authenticator');
    return made;
  };
  const callers = pool(poolSize, 'authenticator');
  const auth = pool(4, 'supabase_auth_admin');
  const storage = pool(3, 'supabase_storage_admin');
  const ownerPool = pool(4);
  const pools = [callers, auth, storage, ownerPool];
  const cancelJobs = cancelRunning(ownerPool);
  return {
    callers:
      tracing === undefined
        ? new Callers(callers, onError, limits)
        : new TracedCallers(tracing, callers, onError, limits),
    auth,
    storage,
    owner: ownerPool,
    ownerConnection: owner,
    logins,
    moveTo: (host) => {
      // Connections are opened with what these objects say at that time.
      for (const { options } of pools) Object.assign(options, host);
      Object.assign(owner, host);
    },
    end: async () => {
      await Promise.all([...pools.map((pool) => pool.end()), cancelJobs().catch(onError)]);
    },
  };
}

const ATTEMPTS = 10;

/** Has no SQLSTATE of its own; the message is never translated. Raised once the other transaction has committed. */
const isConcurrentUpdate = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === 'XX000' &&
  error.message === 'tuple concurrently updated';

async function alterRole(client: pg.ClientBase, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !isConcurrentUpdate(error)) throw error;
    }
  }
}

/**
 * Sets the passwords of the services' logins, and what their sessions start with. Roles are shared by all databases of a
 * cluster, but the advisory lock of the set-up covers one database only, so another process may be changing the same
 * roles: hence the retries.
 * @param client outside a transaction
 * @param isEmbedded whether this is the embedded PostgreSQL, whose logging we configure
 */
export async function setUpLogins(
  client: pg.ClientBase,
  logins: Record<ServiceLogin, string>,
  isEmbedded: boolean,
): Promise<void> {
  await client.query('set jit = on');
  const jit = await client.query<{ compiles: boolean }>('select pg_jit_available() as compiles');
  await client.query('reset jit');
  const compiles = jit.rows[0]?.compiles === true;
  for (const [login, password] of Object.entries(logins)) {
    const { rows } = await client.query<{ sql: string }>(
      `select format('alter role %I password %L', $1::text, $2::text) as sql`,
      [login, password],
    );
    await alterRole(client, rows[0]?.sql ?? '');
    // Compiling a statement takes longer than running most of ours. On by default where PostgreSQL has LLVM, as Debian's does.
    // Elsewhere it is not set: an execution plan would list it.
    await alterRole(
      client,
      `alter role ${pg.escapeIdentifier(login)} ${compiles ? 'set jit = off' : 'reset jit'}`,
    );
    // Errors of requests are returned to the caller and logged by the server. Their messages quote row values, so they
    // stay out of PostgreSQL's log.
    if (isEmbedded) {
      await alterRole(
        client,
        `alter role ${pg.escapeIdentifier(login)} set log_min_messages = 'log'`,
      );
    }
  }
}
