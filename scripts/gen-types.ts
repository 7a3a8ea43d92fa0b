// npm run gen:types [-- --check] [--from postgres://…]: writes shared/database.types.ts, or fails if it is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { startTemporaryDatabase } from 'supabase-in-node/temporary-database';
import { withClient } from 'supabase-in-node/with-client';
import { readCatalogue } from './types/catalogue.ts';
import { renderTypes } from './types/render.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const FILE = path.join(ROOT, 'shared', 'database.types.ts');

const typesOf = (connection: pg.ClientConfig): Promise<string> =>
  withClient(connection, async (client) => renderTypes(await readCatalogue(client)));

/** Migrates a new database in a temporary folder, so that the result depends only on the migrations. */
async function typesOfMigrations(): Promise<string> {
  const { connection, stop } = await startTemporaryDatabase({ projectDir: ROOT });
  try {
    return await typesOf(connection);
  } finally {
    await stop();
  }
}

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, from: { type: 'string' } },
});
const text = values.from
  ? await typesOf({ connectionString: values.from })
  : await typesOfMigrations();
if (!values.check) {
  await writeFile(FILE, text);
  console.log(`Wrote ${path.relative(ROOT, FILE)}`);
} else if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) {
  console.error('shared/database.types.ts is out of date. Run: npm run gen:types');
  process.exitCode = 1;
}
