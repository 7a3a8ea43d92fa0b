// Two databases to compare: one with the declared schema, one with the migrations.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  startTemporaryDatabase,
  type TemporaryDatabaseOptions,
} from 'supabase-in-node/temporary-database';
import { withClient } from 'supabase-in-node/with-client';
import { type Entry, readEntries } from './catalogue.ts';
import { loadInOrder, readSchemas } from './statements.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** Programs of another PostgreSQL than ours, for tests. */
type Options = Pick<TemporaryDatabaseOptions, 'binaries'>;

export const MIGRATIONS = path.join(ROOT, 'supabase', 'migrations');
const SCHEMAS = path.join(ROOT, 'supabase', 'schemas');

/** @returns the declared schema's catalogue, and its statements in an order that an empty database takes */
export async function loadDeclared(
  options: Options = {},
): Promise<{ entries: Entry[]; statements: string[] }> {
  const projectDir = await mkdtemp(path.join(tmpdir(), 'no-migrations-'));
  await mkdir(path.join(projectDir, 'supabase'));
  const { connection, stop } = await startTemporaryDatabase({ ...options, projectDir });
  try {
    return await withClient(connection, async (client) => {
      const statements = await loadInOrder(client, await readSchemas(SCHEMAS));
      return { entries: await readEntries(client), statements };
    });
  } finally {
    await stop();
    await rm(projectDir, { recursive: true });
  }
}

export async function loadMigrated(options: Options = {}): Promise<Entry[]> {
  const { connection, stop } = await startTemporaryDatabase({ ...options, projectDir: ROOT });
  try {
    return await withClient(connection, readEntries);
  } finally {
    await stop();
  }
}
