// Runs one migration without a long lock: other sessions go on writing while it waits.
import { setTimeout as pause } from 'node:timers/promises';
import { type ClientBase, DatabaseError } from 'pg';
import { StartError } from '../start-error.ts';
import { splitStatements } from './sql-text.ts';
import { inTransaction } from './with-client.ts';

export interface SqlFile {
  version: string;
  name: string;
  sql: string;
}

/** A statement that waits for a table's lock makes all later ones wait behind it: no longer than this. */
const LOCK_TIMEOUT = '2s';
const PAUSE_MS = 1_000;
/** Three minutes. */
const ATTEMPTS = 60;
/** Lock not available, deadlock: another session's transaction comes first. */
const LOCKED = new Set(['55P03', '40P01']);

const COMMENTS = /^(?:--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/|\s+)*/;
const CREATE = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?!if\b)(\S+)\s+on\b/i;
const DROP = /^drop\s+index\s+concurrently\s+if\s+exists\s+(?:[\w"]+\.)?(\S+)$/i;
const CONCURRENT = /^(?:create\s+(?:unique\s+)?|drop\s+)index\s+concurrently\b/i;

/**
 * The Supabase CLI runs these statements outside a transaction, too (supabase/cli pull requests 6009 and 6276).
 * @returns whether the file has only such statements, false if none
 * @throws StartError for a file that could not be run again after an interruption
 */
function isConcurrent({ version, name }: SqlFile, statements: string[]): boolean {
  const bare = statements.map((statement) => statement.replace(COMMENTS, ''));
  if (!bare.some((statement) => CONCURRENT.test(statement))) return false;
  const isRepeatable = bare.every((statement, index) => {
    const created = CREATE.exec(statement)?.[1];
    if (created === undefined) return DROP.test(statement);
    return DROP.exec(bare[index - 1] ?? '')?.[1] === created;
  });
  if (isRepeatable) return true;
  throw new StartError(
    `Migration ${version}_${name}.sql has to consist of "drop index concurrently if exists" and, after it, "create index concurrently" of the same name: these statements run outside a transaction, and are repeated if they are interrupted.`,
  );
}

async function retryWhileLocked(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const isLocked = error instanceof DatabaseError && LOCKED.has(error.code ?? '');
      if (!isLocked || attempt === ATTEMPTS) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/**
 * @param ledger schema of the table that records the file
 * @throws StartError
 */
export async function applyFile(client: ClientBase, ledger: string, file: SqlFile): Promise<void> {
  const statements = splitStatements(file.sql);
  const record = (): Promise<unknown> =>
    client.query(
      `insert into ${ledger}.schema_migrations (version, statements, name) values ($1, $2, $3)`,
      [file.version, statements, file.name],
    );
  const isOutside = isConcurrent(file, statements);
  const run = isOutside
    ? async (): Promise<void> => {
        for (const statement of statements) await client.query(statement);
        await record();
      }
    : (): Promise<void> =>
        retryWhileLocked(() =>
          inTransaction(client, async () => {
            await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
            await client.query(file.sql);
            await record();
          }),
        );
  await run().catch((error: Error) => {
    const outcome = isOutside ? 'and is repeated at the next start' : 'and was rolled back';
    throw new StartError(
      `Migration ${file.version}_${file.name}.sql failed ${outcome}: ${error.message}`,
      { cause: error },
    );
  });
}
