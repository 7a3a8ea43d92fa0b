import type pg from 'pg';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import { runningConnection } from './embedded/postmaster.ts';
import { type DatabaseHost, findPrimary } from './primary.ts';
import { withClient } from './with-client.ts';

function explain(error: NodeJS.ErrnoException, host: string): string {
  const { code } = error;
  if (
    code === 'ECONNREFUSED' ||
    code === 'ENOTFOUND' ||
    code === 'ETIMEDOUT' ||
    code === 'EAI_AGAIN'
  ) {
    return `The database at ${host} (DATABASE_URL) can't be reached (${code}). Check the address, and that PostgreSQL is running.`;
  }
  if (code === '28P01' || code === '28000') {
    return `The database at ${host} refuses the user or the password in DATABASE_URL. Correct them.`;
  }
  if (code === '3D000')
    return `The database named in DATABASE_URL does not exist at ${host}. Create it.`;
  return `The database at ${host} (DATABASE_URL) can't be used: ${error.message}`;
}

interface DatabaseAddress {
  /** Settings that are the same for all hosts. */
  common: pg.ClientConfig;
  /** At least one. Several are separated by commas, as in libpq (PostgreSQL 34.1.1.3). */
  hosts: [DatabaseHost, ...DatabaseHost[]];
}

/** The scheme with user and password, the hosts, and the rest of a URL. */
const PARTS = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

function hostOf({ hostname, port }: URL): DatabaseHost {
  return {
    // An IPv6 address is in brackets.
    host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost',
    port: port === '' ? 5432 : Number(port),
  };
}

/** @throws StartError when it is not a valid address */
export function databaseAddress(url: string): DatabaseAddress {
  let parsed: URL;
  let others: DatabaseHost[];
  try {
    const [, start = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
    const [first = '', ...more] = hosts.split(',');
    parsed = new URL(`${start}${first}${rest}`);
    others = more.map((host) => hostOf(new URL(`${parsed.protocol}//${host}`)));
  } catch {
    throw new StartError(
      'DATABASE_URL is not an address like postgres://user:password@host:5432/name.',
    );
  }
  if (!/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new StartError('DATABASE_URL must begin with postgres://');
  }
  const ssl = parsed.searchParams.get('sslmode');
  const common: pg.ClientConfig = {
    user: decodeURIComponent(parsed.username) || 'postgres',
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)) || 'postgres',
    ...(ssl === null || ssl === 'disable'
      ? {}
      : { ssl: { rejectUnauthorized: ssl === 'verify-full' || ssl === 'verify-ca' } }),
  };
  return { common, hosts: [hostOf(parsed), ...others] };
}

/**
 * @param url postgres:// address, with user, password and database; of several hosts the one that takes writes is used
 * @throws StartError when it is not a valid address or the server can't be reached
 */
export async function connectionFromUrl(url: string): Promise<pg.ClientConfig> {
  const { common, hosts } = databaseAddress(url);
  try {
    if (hosts.length > 1) return { ...common, ...(await findPrimary(common, hosts)) };
    const connection = { ...common, ...hosts[0] };
    await withClient({ ...connection, connectionTimeoutMillis: 5_000 }, async () => {});
    return connection;
  } catch (error) {
    const names = hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
    throw new StartError(explain(error as NodeJS.ErrnoException, names), { cause: error });
  }
}

/** The owner's connection to the database of a running server, for scripts beside it. @throws StartError */
export async function ownerConnection(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<pg.ClientConfig> {
  return config.databaseUrl === undefined
    ? runningConnection(config.dataDir)
    : connectionFromUrl(config.databaseUrl);
}
