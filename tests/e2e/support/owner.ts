import { ownerConnection } from 'supabase-in-node/owner-connection';
import { withClient } from 'supabase-in-node/with-client';
import { readConfig } from '#server/config.ts';
import { ROOT } from './service.ts';

/** Runs a query as the owner of the database, for what no caller may do. */
export async function ask(dataDir: string, sql: string, values: unknown[] = []) {
  const connection = await ownerConnection(readConfig({ DATA_DIR: dataDir }, ROOT));
  return withClient(connection, async (client) => (await client.query(sql, values)).rows);
}
