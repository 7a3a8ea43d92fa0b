// npm run gen:types [-- --check] [--from postgres://…]: writes shared/database.{types,limits,values}.ts, or
// fails if one is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { startTemporaryDatabase } from 'supabase-in-node/temporary-database';
import { withClient } from 'supabase-in-node/with-client';
import { readCatalogue } from './types/catalogue.ts';
import { renderLimits } from './types/limits.ts';
import { renderTypes } from './types/render.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

type Generated = readonly (readonly [file: string, text: string])[];

const generate = (connection: pg.ClientConfig): Promise<Generated> =>
  withClient(connection, async (client) => {
    const { limits, values: lists } = await renderLimits(client);
    return [
      ['shared/database.types.ts', renderTypes(await readCatalogue(client))],
      ['shared/database.limits.ts', limits],
      ['shared/database.values.ts', lists],
    ];
  });

/** Migrates a new database in a temporary folder, so that the result depends only on the migrations. */
async function generateFromMigrations(): Promise<Generated> {
  const { connection, stop } = await startTemporaryDatabase({ projectDir: ROOT });
  try {
    return await generate(connection);
  } finally {
    await stop();
  }
}

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, from: { type: 'string' } },
});
const generated = values.from
  ? await generate({ connectionString: values.from })
  : await generateFromMigrations();
for (const [file, text] of generated) {
  const location = path.join(ROOT, file);
  if (!values.check) {
    await writeFile(location, text);
    console.log(`Wrote ${file}`);
  } else if ((await readFile(location, 'utf8').catch(() => '')) !== text) {
    console.error(`${file} is out of date. Run: npm run gen:types`);
    process.exitCode = 1;
  }
}
