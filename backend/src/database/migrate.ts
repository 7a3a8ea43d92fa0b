import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ClientBase } from 'pg';
import { StartError } from '../start-error.ts';
import { applyFile, type SqlFile } from './apply-file.ts';
import { splitStatements } from './sql-text.ts';

/** Schema of the table that records applied files: the Supabase CLI's own for migrations, ours for the platform. */
type Ledger = 'supabase_migrations' | 'platform';

const FILE = /^(\d+)_(.+)\.sql$/;

/** @returns the folder's `<version>_<name>.sql` files in order; none for a missing folder */
export async function readSqlFiles(folder: string): Promise<SqlFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.sort().flatMap((file) => {
    const match = FILE.exec(file);
    return match?.[1] === undefined || match[2] === undefined
      ? []
      : [{ file, version: match[1], name: match[2] }];
  });
  return Promise.all(
    files.map(async ({ file, version, name }) => ({
      version,
      name,
      sql: await readFile(path.join(folder, file), 'utf8'),
    })),
  );
}

/** Removes what may differ between the Supabase CLI's way of splitting statements and ours. */
function normalized(statements: string[]): string {
  return statements.join('').replace(/[\s;]+/g, '');
}

async function recorded(client: ClientBase, ledger: Ledger): Promise<Map<string, string[]>> {
  await client.query(`
    create schema if not exists ${ledger};
    create table if not exists ${ledger}.schema_migrations (
      version text primary key, statements text[], name text
    );`);
  const { rows } = await client.query<{ version: string; statements: string[] | null }>(
    `select version, statements from ${ledger}.schema_migrations order by version`,
  );
  return new Map(rows.map((row) => [row.version, row.statements ?? []]));
}

/** Whether a newer version has upgraded the database: what it knows comes after all that this one knows. */
const isNewer = (version: string, files: SqlFile[]): boolean =>
  files.every((file) => file.version < version);

const ADVICE =
  'start the version of the program that created the database, restore a backup made by this version, or delete demo data with "npm run reset".';

function refuseChangedHistory(
  files: SqlFile[],
  applied: Map<string, string[]>,
  ledger: Ledger,
): void {
  const byVersion = new Map(files.map((file) => [file.version, file]));
  for (const [version, statements] of applied) {
    const file = byVersion.get(version);
    if (file === undefined && ledger === 'supabase_migrations' && isNewer(version, files)) {
      throw new StartError(
        `A newer version of the program has upgraded this database (migration ${version}), and nothing was changed now: start that version, or restore the backup from before the upgrade into an empty place.`,
      );
    }
    if (file === undefined && ledger === 'supabase_migrations') {
      throw new StartError(
        `The database has migration ${version}, which is not in supabase/migrations: ${ADVICE}`,
      );
    }
    const isChanged =
      file === undefined ||
      (statements.length > 0 && normalized(statements) !== normalized(splitStatements(file.sql)));
    // The platform's files are the program's own: the operator can't restore them.
    if (isChanged && ledger === 'platform') {
      throw new StartError(`The database was created by another version of the program: ${ADVICE}`);
    }
    if (isChanged) {
      throw new StartError(
        `Migration ${version}_${file?.name}.sql was changed after it had been applied. Restore the file and put the change into a new migration.`,
      );
    }
  }
}

function refuseOutOfOrder(files: SqlFile[], applied: Map<string, string[]>): void {
  const newest = [...applied.keys()].at(-1) ?? '';
  const late = files.find((file) => !applied.has(file.version) && file.version < newest);
  if (late !== undefined) {
    throw new StartError(
      `Migration ${late.version}_${late.name}.sql is older than ${newest}, which is applied already. Give it a newer version.`,
    );
  }
}

/**
 * @returns the files that are not recorded yet
 * @throws StartError when an applied file was changed or is missing
 */
export async function pendingFiles(
  client: ClientBase,
  ledger: Ledger,
  files: SqlFile[],
): Promise<SqlFile[]> {
  const applied = await recorded(client, ledger);
  refuseChangedHistory(files, applied, ledger);
  // The platform's files come from several services, each with its own order.
  if (ledger === 'supabase_migrations') refuseOutOfOrder(files, applied);
  return files.filter((file) => !applied.has(file.version));
}

/**
 * Applies the files that are not recorded yet, each in its own transaction unless it builds indexes concurrently.
 * The caller holds the set-up lock, so that two starting processes never do this concurrently.
 * @param onApply called with the name of each file before it runs
 * @throws StartError when an applied file was changed or is missing, or when a file fails
 */
export async function applyFiles(
  client: ClientBase,
  ledger: Ledger,
  files: SqlFile[],
  onApply: (name: string) => void = () => {},
): Promise<number> {
  const missing = await pendingFiles(client, ledger, files);
  for (const file of missing) {
    onApply(file.name);
    await applyFile(client, ledger, file);
  }
  return missing.length;
}
