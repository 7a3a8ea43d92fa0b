// Storage objects follow the permission matrix of their record: evidence of an incident, receipts of an expense.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type Operation } from '#shared/grants.ts';
import type { TableName } from '#shared/permissions.ts';
import { bystander, type Person, people } from '#tests/support/people.ts';
import { isAllowed } from '#tests/support/permission-expectation.ts';
import type { Scene, SceneRow } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import {
  asPerson,
  attempt,
  become,
  becomeOwner,
  REFUSED,
  rolledBack,
} from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  for (const [bucket, table] of BUCKETS) {
    for (const { id } of scene.rows[RECORDS[table]]) {
      await database.owner.query(
        'insert into storage.objects (bucket_id, name, version) values ($1, $2, gen_random_uuid())',
        [bucket, `${id}/kept.jpg`],
      );
    }
  }
});

const BUCKETS = [
  ['evidence', 'evidence'],
  ['receipts', 'expense_reports'],
] as const;
type Guarded = (typeof BUCKETS)[number][1];
/** Tables of the records whose id is the folder name. */
const RECORDS: Record<Guarded, TableName> = {
  evidence: 'incidents',
  expense_reports: 'expense_reports',
};

function recordsFor(table: Guarded, person: Person): SceneRow[] {
  const rows = scene.rows[RECORDS[table]];
  return [
    ...rows.filter(({ owner }) => owner === person.id),
    ...rows.filter(({ owner }) => owner === undefined || owner === bystander.id),
    ...rows.filter(({ site }) => site === 'elsewhere').slice(0, 2),
  ];
}

const SQL: Record<Operation, string> = {
  select: 'select from storage.objects where bucket_id = $1 and name = $2',
  insert:
    'insert into storage.objects (bucket_id, name, version) values ($1, $2, gen_random_uuid())',
  update: `update storage.objects set metadata = '{}' where bucket_id = $1 and name = $2`,
  delete: 'delete from storage.objects where bucket_id = $1 and name = $2',
};

async function enter(client: PoolClient, person: Person): Promise<void> {
  if (person.signupPolicy) {
    await client.query('update private.settings set signup_policy = $1', [person.signupPolicy]);
  }
  await become(client, person);
}

/** @returns whether the operation was allowed @throws when it failed for another reason */
async function done(
  person: Person,
  operation: Operation,
  bucket: string,
  name: string,
): Promise<boolean> {
  return rolledBack(database.owner, async (client) => {
    await enter(client, person);
    let affected = 0;
    const error = await attempt(client, async () => {
      affected = (await client.query(SQL[operation], [bucket, name])).rowCount ?? 0;
    });
    await becomeOwner(client);
    if (error !== undefined && error !== REFUSED) throw new Error(`${operation}: ${error}`);
    const { rowCount } = await client.query(SQL.select, [bucket, name]);
    const isThere = rowCount === 1;
    if (operation === 'insert') return isThere;
    if (operation === 'delete') return !isThere;
    return affected === 1;
  });
}

describe.each(people)('$name', (person) => {
  describe.each(BUCKETS)('in bucket %s', (bucket, table) => {
    test.each(OPERATIONS)('%s follows the matrix row of the record', async (operation) => {
      const wrong: string[] = [];
      for (const record of recordsFor(table, person)) {
        const file = operation === 'insert' ? 'new.jpg' : 'kept.jpg';
        const is = await done(person, operation, bucket, `${record.id}/${file}`);
        if (is !== isAllowed(person, table, operation, record)) {
          wrong.push(`${is ? 'may' : 'may not'}: ${JSON.stringify(record)}`);
        }
      }
      expect(wrong).toEqual([]);
    });
  });
});

const named = (name: string): Person => {
  const person = people.find((one) => one.name === name);
  if (person === undefined) throw new Error(`Nobody is called ${name}.`);
  return person;
};

describe('a path that belongs to no record', () => {
  const id = (): string => scene.rows.incidents[0]?.id ?? '';
  test.each([
    ['the bucket itself', () => 'loose.jpg'],
    ['a folder that is no id', () => 'photos/a.jpg'],
    ['an id that is nobody’s', () => `${crypto.randomUUID()}/a.jpg`],
    ['a folder deeper', () => `${id()}/deep/a.jpg`],
    ['an id in capitals', () => `${id().toUpperCase()}/a.jpg`],
    ['no name', () => `${id()}/`],
  ])('takes no file: %s', async (_, path) => {
    for (const [bucket] of BUCKETS) {
      expect(await done(named('admin'), 'insert', bucket, path())).toBe(false);
    }
  });

  test('in a bucket without policies is closed to everyone', async () => {
    await database.owner.query(`insert into storage.buckets (id, name) values ('other', 'other')`);
    for (const operation of ['select', 'insert'] as const) {
      expect(await done(named('admin'), operation, 'other', 'a.jpg')).toBe(false);
    }
  });
});

test('an expense can only name a receipt in its own folder', async () => {
  const [expense] = scene.rows.expense_reports;
  const set = (path: string): Promise<unknown> =>
    database.owner.query('update expense_reports set receipt_path = $2 where id = $1', [
      expense?.id,
      path,
    ]);
  await set(`${expense?.id}/receipt.pdf`);
  await expect(set(`${crypto.randomUUID()}/receipt.pdf`)).rejects.toMatchObject({ code: '23514' });
  await expect(set('receipt.pdf')).rejects.toMatchObject({ code: '23514' });
  await set('  ');
  const { rows } = await database.owner.query('select receipt_path from expense_reports');
  expect(rows).toEqual([{ receipt_path: null }]);
});

describe('evidence', () => {
  const add = (capture: Record<string, unknown>) => {
    const incident = scene.rows.incidents.find((row) => row.owner === bystander.id)?.id;
    const columns = Object.keys(capture);
    return asPerson(
      database.owner,
      bystander,
      `insert into evidence (incident_id, type, url, ${columns})
       values ($1::uuid, 'image/jpeg', $1::uuid || '/gate.jpg', ${columns.map((_, n) => `$${n + 2}`)})
       returning taken_at, gps, located_by`,
      [incident, ...Object.values(capture)],
    );
  };

  test('stores when and where it was taken, and the source of that', async () => {
    const capture = {
      taken_at: new Date('2026-11-20T20:04:07Z'),
      gps: '6.306000,-10.803000',
      located_by: 'photo',
    };
    expect(await add(capture)).toEqual([capture]);
  });

  test.each([
    [{ gps: 'Sinkor', located_by: 'photo' }],
    [{ gps: '6.3,-10.8', located_by: 'witness' }],
    [{ gps: '6.3,-10.8', located_by: null }],
    [{ gps: null, located_by: 'device' }],
  ])('takes no %j', async (capture) => {
    await expect(add(capture)).rejects.toMatchObject({ code: '23514' });
  });
});
