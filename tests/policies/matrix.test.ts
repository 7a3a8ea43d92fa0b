// Every person, table and operation of the permission matrix, on own and others' rows, against the database.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '#shared/grants.ts';
import { type TableName, tables } from '#shared/permissions.ts';
import { bystander, type Person, people } from '#tests/support/people.ts';
import { isAllowed } from '#tests/support/permission-expectation.ts';
import type { Scene, SceneRow } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';
import { changeOf, type Write } from './changes.ts';
import { insertsOf } from './inserts.ts';

const IN_USE = '23503';
let database: TestDatabase;
let scene: Scene;
let cases = 0;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

afterAll(() => {
  console.log(`Policy matrix: ${cases} cases.`);
});

/** Switches the transaction to the person, after the owner's preparation. */
async function enter(client: PoolClient, person: Person, before?: string): Promise<void> {
  if (person.signupPolicy) {
    await client.query('update private.settings set signup_policy = $1', [person.signupPolicy]);
  }
  if (before) await client.query(before);
  await become(client, person);
}

/** The person's own rows, the bystander's, and rows without an owner. */
function rowsFor(table: TableName, person: Person): SceneRow[] {
  const rows = scene.rows[table];
  const others = rows.filter((row) => row.owner === undefined || row.owner === bystander.id);
  const elsewhere = rows.filter((row) => row.site === 'elsewhere').slice(0, 2);
  return [...new Set([...rows.filter((row) => row.owner === person.id), ...others, ...elsewhere])];
}

async function look(client: PoolClient, table: TableName, id: string): Promise<string | undefined> {
  const { rows } = await client.query<{ row: string }>(
    `select to_jsonb(t)::text as row from ${table} t where id = $1`,
    [id],
  );
  return rows[0]?.row;
}

/** Tries one write on an existing row. @returns done, refused, or the reason of another failure */
async function outcome(
  person: Person,
  table: TableName,
  row: SceneRow,
  write: Write,
): Promise<string> {
  return rolledBack(database.owner, async (client) => {
    const was = await look(client, table, row.id);
    await enter(client, person);
    let affected = 0;
    const error = await attempt(client, async () => {
      affected = (await client.query(write.sql, write.values)).rowCount ?? 0;
    });
    await becomeOwner(client);
    const is = await look(client, table, row.id);
    if (error === REFUSED || (error === undefined && affected === 0)) {
      return is === was ? 'refused' : 'refused, but the row has changed';
    }
    if (error !== undefined) return error;
    return is === was ? 'done, but the row is as it was' : 'done';
  });
}

async function trySelect(person: Person, table: TableName): Promise<string[]> {
  const rows = rowsFor(table, person);
  const seen = await rolledBack(database.owner, async (client) => {
    await enter(client, person);
    const found: string[] = [];
    const error = await attempt(client, async () => {
      const result = await client.query<{ id: string }>(
        `select id from ${table} where id = any ($1)`,
        [rows.map(({ id }) => id)],
      );
      found.push(...result.rows.map(({ id }) => id));
    });
    if (error !== undefined && error !== REFUSED) throw new Error(`select failed with ${error}`);
    return found;
  });
  cases += rows.length;
  return rows
    .filter((row) => seen.includes(row.id) !== isAllowed(person, table, 'select', row))
    .map((row) => `${seen.includes(row.id) ? 'sees' : 'does not see'} ${JSON.stringify(row)}`);
}

async function tryInsert(person: Person, table: TableName): Promise<string[]> {
  const wrong: string[] = [];
  for (const entry of insertsOf(table, person, scene)) {
    const allowed = isAllowed(person, table, 'insert', entry.facts);
    const result = await rolledBack(database.owner, async (client) => {
      await enter(client, person, entry.before);
      const error = await attempt(client, () => client.query(entry.sql, entry.values));
      await becomeOwner(client);
      const { rowCount } = await client.query(entry.found.sql, entry.found.values);
      if (error === REFUSED) return rowCount === 0 ? 'refused' : 'refused, but the row is there';
      return error ?? (rowCount === 1 ? 'done' : 'done, but the row is not there');
    });
    cases += 1;
    if (result !== (allowed ? 'done' : 'refused')) {
      wrong.push(`${result}: ${JSON.stringify(entry.facts)}`);
    }
  }
  return wrong;
}

async function tryChange(
  person: Person,
  table: TableName,
  operation: 'update' | 'delete',
): Promise<string[]> {
  const wrong: string[] = [];
  for (const row of rowsFor(table, person)) {
    const write =
      operation === 'update'
        ? changeOf(table, row, person)
        : { sql: `delete from ${table} where id = $1`, values: [row.id] };
    const allowed = isAllowed(person, table, operation, row);
    const expected = !allowed ? 'refused' : operation === 'delete' && row.inUse ? IN_USE : 'done';
    const result = await outcome(person, table, row, write);
    cases += 1;
    if (result !== expected) wrong.push(`${result}, not ${expected}: ${JSON.stringify(row)}`);
  }
  return wrong;
}

const names = Object.keys(tables) as TableName[];

describe.each(people)('$name', (person) => {
  describe.each(names)('%s', (table) => {
    test.each(OPERATIONS)('%s follows the matrix', async (operation) => {
      const wrong =
        operation === 'select'
          ? await trySelect(person, table)
          : operation === 'insert'
            ? await tryInsert(person, table)
            : await tryChange(person, table, operation);
      expect(wrong).toEqual([]);
    });
  });
});
