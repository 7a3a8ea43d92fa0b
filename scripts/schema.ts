// npm run schema:diff [-- <name>]: prints, or writes into supabase/migrations, the draft of the step that the declared
// schema needs. npm run schema:check: fails unless schemas and migrations make the same catalogue.
// npm run schema:baseline: replaces all migrations by one; only while no deployed database follows them.
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadDeclared, loadMigrated, MIGRATIONS } from './schema/databases.ts';
import { compare, draftMigration } from './schema/draft.ts';

const BASELINE = '20261128200000_baseline.sql';
const HEADER = `-- Generated from supabase/schemas by "npm run schema:baseline": read the schemas, not this file.
set local check_function_bodies = off;
`;

async function writeBaseline(): Promise<void> {
  const { statements } = await loadDeclared();
  const names = await readdir(MIGRATIONS);
  await Promise.all(names.map((name) => rm(path.join(MIGRATIONS, name))));
  const text = statements.map((statement) => `${statement};\n`).join('\n');
  await writeFile(path.join(MIGRATIONS, BASELINE), `${HEADER}\n${text}`);
  console.log(`Wrote supabase/migrations/${BASELINE}`);
}

/** A version after all others, also on a computer whose clock is behind. */
async function nextVersion(): Promise<string> {
  const now = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const newest = (await readdir(MIGRATIONS)).sort().at(-1)?.slice(0, 14) ?? '0';
  return String(BigInt(newest) >= BigInt(now) ? BigInt(newest) + 1n : now);
}

const [command, name] = process.argv.slice(2);
if (command === 'baseline') {
  await writeBaseline();
} else {
  const [{ entries }, migrated] = await Promise.all([loadDeclared(), loadMigrated()]);
  const differences = compare(migrated, entries);
  if (differences.length === 0) {
    console.log('supabase/schemas and supabase/migrations make the same catalogue.');
  } else if (command === 'check') {
    for (const { before, after } of differences.slice(0, 20)) {
      const { kind, name: object } = after ?? before ?? { kind: '', name: '' };
      console.error(
        `${kind} ${object}: ${before ? (after ? 'differs' : 'only in the migrations') : 'only in the schemas'}`,
      );
    }
    console.error(
      `${differences.length} differences. Draft the step with: npm run schema:diff -- <name>`,
    );
    process.exitCode = 1;
  } else {
    const draft = draftMigration(differences);
    if (name === undefined) {
      console.log(draft);
    } else {
      const file = `${await nextVersion()}_${name}.sql`;
      await writeFile(path.join(MIGRATIONS, file), draft);
      console.log(`Wrote supabase/migrations/${file}: read it, and move data where columns move.`);
    }
  }
}
