// The declared schema as statements, and the order in which an empty database takes them.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ClientBase } from 'pg';
import { splitStatements } from 'supabase-in-node/sql-text';

/** Rows come before triggers, which would stamp and log them; rights come last. */
const PHASES = [
  /^(?:alter\s+default|create\s+(?:extension|schema)|grant\s+usage\s+on\s+schema)\b/i,
  /^create\s+(?:table|type|view|sequence|function|aggregate)\b/i,
  /^insert\b/i,
  /^(?:alter\s+table\s+\S+\s+(?:add|set)|create\s+(?:unique\s+)?index|create\s+statistics)\b/i,
];

/** An object that a later statement makes: undefined column, function, table or object (PostgreSQL docs, appendix A). */
const MISSING = new Set(['42703', '42883', '42P01', '42704', '3F000']);

/** @returns the statement without the comments above it */
const withoutLead = (statement: string): string => statement.replace(/^(?:\s|--[^\n]*\n)+/, '');

const phaseOf = (statement: string): number => {
  const at = PHASES.findIndex((pattern) => pattern.test(statement));
  return at === -1 ? PHASES.length : at;
};

/** @returns the statements of `supabase/schemas` in reading order */
export async function readSchemas(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.flatMap((text) => splitStatements(text).map(withoutLead)).filter(Boolean);
}

async function attempt(client: ClientBase, statement: string): Promise<boolean> {
  await client.query('savepoint before_statement');
  try {
    await client.query(statement);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && MISSING.has(String(error.code))))
      throw new Error(`${String(error)}\n${statement}`, { cause: error });
    await client.query('rollback to savepoint before_statement');
    return false;
  }
  await client.query('release savepoint before_statement');
  return true;
}

/**
 * Runs the statements on an empty database; one that needs an object that doesn't exist yet waits until it does.
 * @returns the statements in the order in which they succeeded
 * @throws when a statement fails, or needs an object that no statement makes
 */
export async function loadInOrder(client: ClientBase, statements: string[]): Promise<string[]> {
  const done: string[] = [];
  let waiting: string[] = [];
  await client.query('begin');
  await client.query('set local check_function_bodies = off');
  for (let phase = 0; phase <= PHASES.length; phase += 1) {
    waiting = [...waiting, ...statements.filter((statement) => phaseOf(statement) === phase)];
    for (let before = -1; before !== done.length; ) {
      before = done.length;
      const later: string[] = [];
      for (const statement of waiting)
        (await attempt(client, statement)) ? done.push(statement) : later.push(statement);
      waiting = later;
    }
  }
  const [failed] = waiting;
  if (failed !== undefined) await client.query(failed);
  await client.query('commit');
  return done;
}
