import pg from 'pg';
import type { ServiceLogin } from './database.ts';

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
 * Sets the passwords of the services' logins. Roles are shared by all databases of a cluster, but the advisory lock of
 * the set-up covers one database only, so another process may be changing the same roles: hence the retries.
 * @param client outside a transaction
 * @param isEmbedded whether this is the embedded PostgreSQL, whose logging we configure
 */
export async function setLoginPasswords(
  client: pg.ClientBase,
  logins: Record<ServiceLogin, string>,
  isEmbedded: boolean,
): Promise<void> {
  for (const [login, password] of Object.entries(logins)) {
    const { rows } = await client.query<{ sql: string }>(
      `select format('alter role %I password %L', $1::text, $2::text) as sql`,
      [login, password],
    );
    await alterRole(client, rows[0]?.sql ?? '');
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
