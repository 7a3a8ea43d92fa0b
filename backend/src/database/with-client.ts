import pg from 'pg';

/** Connects, runs `work`, and disconnects. */
export async function withClient<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  // A lost connection also fails the running query; without a listener it would crash the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Commits when `work` resolves, rolls back when it throws. */
export async function inTransaction(
  client: pg.ClientBase,
  work: () => Promise<unknown>,
): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** @param name with its schema */
export async function hasTable(client: pg.ClientBase | pg.Pool, name: string): Promise<boolean> {
  const { rows } = await client.query<{ known: boolean }>(
    'select to_regclass($1) is not null as known',
    [name],
  );
  return rows[0]?.known ?? false;
}

/** Whether the database has the table and, in it, the column: PROJECT_DIR can serve the tables of an earlier release. */
export async function hasColumn(
  client: pg.ClientBase | pg.Pool,
  table: string,
  column: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from pg_attribute where attrelid = to_regclass($1) and attname = $2 and not attisdropped',
    [table, column],
  );
  return rowCount === 1;
}
