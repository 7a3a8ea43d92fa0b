// Gives the services' logins their passwords. Roles are common to all databases of a PostgreSQL, so whoever sets up another
// one may be changing them at the same moment; the lock of a set-up holds in its own database only.
import pg from 'pg';
import type { ServiceLogin } from './database.ts';

const ATTEMPTS = 10;

/** PostgreSQL has no code of its own for it, and never translates the words. It comes once the other one has committed. */
const wasChangedMeanwhile = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === 'XX000' &&
  error.message === 'tuple concurrently updated';

async function alterRole(client: pg.ClientBase, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !wasChangedMeanwhile(error)) throw error;
    }
  }
}

/**
 * @param client outside a transaction
 * @param isOwnCluster whether this PostgreSQL is the embedded one, whose log is ours to set up
 */
export async function giveLogins(
  client: pg.ClientBase,
  logins: Record<ServiceLogin, string>,
  isOwnCluster: boolean,
): Promise<void> {
  for (const [login, password] of Object.entries(logins)) {
    const { rows } = await client.query<{ sql: string }>(
      `select format('alter role %I password %L', $1::text, $2::text) as sql`,
      [login, password],
    );
    await alterRole(client, rows[0]?.sql ?? '');
    // Errors of requests go to the caller and to the server's own log. Their messages quote values, so they stay out of
    // PostgreSQL's log, where errors of PostgreSQL itself must not drown.
    if (isOwnCluster) {
      await alterRole(
        client,
        `alter role ${pg.escapeIdentifier(login)} set log_min_messages = 'log'`,
      );
    }
  }
}
