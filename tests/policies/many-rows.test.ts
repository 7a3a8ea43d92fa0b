// Calls that change or delete many rows reach exactly the rows that the permission matrix allows, one by one.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import type { Operation } from '#shared/grants.ts';
import type { TableName } from '#shared/permissions.ts';
import { bystander, type Person, people } from '#tests/support/people.ts';
import { isAllowed } from '#tests/support/permission-expectation.ts';
import type { Scene, SceneRow } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

const CHANGES: [TableName, Record<string, unknown>][] = [
  ['certifications', { expires_at: '2030-01-01T00:00:00Z' }],
  ['contact_messages', { state: 'answered' }],
  ['incidents', { status: 'closed' }],
  ['payroll', { payment_status: 'paid' }],
  ['shifts', { required_headcount: 3 }],
  ['staff', { status: 'inactive' }],
];

const DELETIONS: TableName[] = [
  'bank_accounts',
  'certifications',
  'expense_reports',
  'financial_statements',
  'loans',
  'payroll',
  'shifts',
];

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

/** The person's own rows, the bystander's, rows without an owner, and some of the other site. */
function rowsFor(table: TableName, person: Person): SceneRow[] {
  return scene.rows[table].filter(
    ({ owner, site, inUse }) =>
      !inUse &&
      (owner === undefined ||
        owner === person.id ||
        owner === bystander.id ||
        (table !== 'incidents' && site === 'elsewhere')),
  );
}

/** Whether the call did something to the row; anything that it half did is `torn`. */
async function reaches(person: Person, row: SceneRow, table: TableName, call: string) {
  return rolledBack(database.owner, async (client) => {
    const look = async () =>
      (
        await client.query(`select to_jsonb(t)::text as row from ${table} t where id = $1`, [
          row.id,
        ])
      ).rows[0]?.row;
    const was = await look();
    if (person.signupPolicy) {
      await client.query('update private.settings set signup_policy = $1', [person.signupPolicy]);
    }
    await become(client, person);
    const code = await attempt(client, () => client.query(`select ${call}`, [[row.id]]));
    await becomeOwner(client);
    const hasChanged = (await look()) !== was;
    if (code === undefined) return hasChanged ? 'done' : 'no effect';
    if (hasChanged) return 'torn';
    return code === '42501' || code === 'PT409' ? 'refused' : code;
  });
}

const inSql = (values: object) => `'${JSON.stringify(values)}'`;

const CALLS: [string, TableName, Operation, string][] = [
  ...CHANGES.map(([table, values]): [string, TableName, Operation, string] => [
    `changes ${table}`,
    table,
    'update',
    `change_records('${table}', $1, ${inSql(values)})`,
  ]),
  ...DELETIONS.map((table): [string, TableName, Operation, string] => [
    `deletes ${table}`,
    table,
    'delete',
    `delete_records('${table}', $1)`,
  ]),
  ['moves shifts', 'shifts', 'update', 'move_shifts($1, 10)'],
];

test.each(CALLS)('a call that %s obeys the matrix', async (_what, table, operation, call) => {
  const wrong: string[] = [];
  for (const person of people) {
    for (const row of rowsFor(table, person)) {
      const expected = isAllowed(person, table, operation, row) ? 'done' : 'refused';
      const found = await reaches(person, row, table, call);
      if (found !== expected) wrong.push(`${person.name}: ${found}, not ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
});

test.each(['give_role', 'remove_role'])('only admins may call %s', async (name) => {
  for (const person of people) {
    const done = await rolledBack(database.owner, async (client) => {
      if (person.signupPolicy) {
        await client.query('update private.settings set signup_policy = $1', [person.signupPolicy]);
      }
      await become(client, person);
      const role = name === 'give_role' ? 'hr' : 'guard';
      return attempt(client, () => client.query(`select ${name}($1, $2)`, [[bystander.id], role]));
    });
    const isAdmin = person.roles.includes('admin') && !person.closed && !person.unproved;
    expect([person.name, done]).toEqual([person.name, isAdmin ? undefined : '42501']);
  }
});
