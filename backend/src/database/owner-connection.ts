import type pg from 'pg';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import { runningConnection } from './embedded/postmaster.ts';
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

/**
 * @param url postgres:// address, with user, password and database
 * @throws StartError when it is not a valid address or the server can't be reached
 */
export async function connectionFromUrl(url: string): Promise<pg.ClientConfig> {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new StartError(
      'DATABASE_URL is not an address like postgres://user:password@host:5432/name.',
    );
  }
  if (!/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new StartError('DATABASE_URL must begin with postgres://');
  }
  const ssl = parsed.searchParams.get('sslmode');
  const connection: pg.ClientConfig = {
    host: decodeURIComponent(parsed.hostname) || 'localhost',
    port: parsed.port === '' ? 5432 : Number(parsed.port),
    user: decodeURIComponent(parsed.username) || 'postgres',
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)) || 'postgres',
    ...(ssl === null || ssl === 'disable'
      ? {}
      : { ssl: { rejectUnauthorized: ssl === 'verify-full' || ssl === 'verify-ca' } }),
  };
  try {
    await withClient({ ...connection, connectionTimeoutMillis: 5_000 }, async () => {});
  } catch (error) {
    throw new StartError(explain(error as NodeJS.ErrnoException, parsed.host), { cause: error });
  }
  return connection;
}

/** The owner's connection to the database of a running server, for scripts beside it. @throws StartError */
export async function ownerConnection(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<pg.ClientConfig> {
  return config.databaseUrl === undefined
    ? runningConnection(config.dataDir)
    : connectionFromUrl(config.databaseUrl);
}
