// The connections of the server: callers through `authenticator`, each service through its own role, the owner for set-up.
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { Callers } from './callers.ts';
import type { ShareLimits } from './lanes.ts';
import { reusingSocket } from './wire/reused.ts';

export interface Database {
  /** Where callers' queries go: logs in as `authenticator`, which owns nothing and inherits nothing. */
  callers: Callers;
  /** The auth service's own tables, as `supabase_auth_admin`. */
  auth: pg.Pool;
  /** The storage service's own tables, as `supabase_storage_admin`: passes row-level security of objects. */
  storage: pg.Pool;
  /** Migrations, the schema cache and the change feed, as the owner of the database. Never for a caller's query. */
  owner: pg.Pool;
  /** Connection settings of the owner, for LISTEN and replication connections. */
  ownerConnection: pg.ClientConfig;
  /** Service logins and their passwords, for the platform to create. */
  logins: Record<ServiceLogin, string>;
  end(): Promise<void>;
}

export type ServiceLogin = 'authenticator' | 'supabase_auth_admin' | 'supabase_storage_admin';

/** Every process on one database derives the same password, so that none has to be told it. */
function passwordOf(owner: pg.ClientConfig, login: ServiceLogin): string {
  const secret = typeof owner.password === 'string' ? owner.password : '';
  return createHmac('sha256', secret).update(`login:${login}`).digest('base64url');
}

/**
 * @param owner connection settings of a role that may create roles and schemas
 * @param poolSize connections for callers; the services get a few of their own
 * @param onError told about failures of idle connections, which pg would otherwise throw
 * @param limits of one account among the callers
 */
export function openDatabase(
  owner: pg.ClientConfig,
  poolSize: number,
  onError: (error: Error) => void,
  limits: ShareLimits = {},
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
      // pg makes its own where a connection is to be encrypted.
      ...(login === 'authenticator' && !owner.ssl ? { stream: reusingSocket } : {}),
      max,
      connectionTimeoutMillis: 10_000,
      application_name: login ?? 'statesman',
    });
    made.on('error', onError);
    // The pool listens only to idle connections: one that dies between two statements of its user would end the process.
    made.on('connect', (client) => client.on('error', () => {}));
    return made;
  };
  const callers = pool(poolSize, 'authenticator');
  const auth = pool(4, 'supabase_auth_admin');
  const storage = pool(3, 'supabase_storage_admin');
  const ownerPool = pool(3);
  return {
    callers: new Callers(callers, onError, limits),
    auth,
    storage,
    owner: ownerPool,
    ownerConnection: owner,
    logins,
    end: async () => {
      await Promise.all([callers.end(), auth.end(), storage.end(), ownerPool.end()]);
    },
  };
}
