// Views of lists: limits, names, and the end of their owner. Who reads and writes them is in the policy matrix.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { bystander } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const asGuard = <T>(work: (client: PoolClient) => Promise<T>): Promise<T> =>
  rolledBack(database.owner, async (client) => {
    await become(client, bystander);
    return work(client);
  });

const save = (client: PoolClient, list: string, name: string | null, more = '') =>
  client.query(
    `insert into saved_views (list, name, search, hidden_columns) values ($1, $2, ${more || `'{}', '{}'`})`,
    [list, name],
  );

test('a name is used once a list, and a list has one choice of columns', async () => {
  await asGuard(async (client) => {
    await save(client, '/admin/people', ' Night ');
    await save(client, '/admin/roster/posts', 'Night');
    await save(client, '/admin/people', null);
    for (const name of ['Night', null]) {
      const refused = await attempt(client, () => save(client, '/admin/people', name));
      expect(refused).toMatch(/23505|saved_views_name_key/);
    }
  });
});

test.each([
  ['a list elsewhere', 'https://other.example', 'A', ''],
  ['a long name', '/admin/people', 'n'.repeat(61), ''],
  ['filters that are no object', '/admin/people', 'A', `'[]', '{}'`],
  ['long filters', '/admin/people', 'A', `jsonb_build_object('q', repeat('x', 5000)), '{}'`],
  ['many columns', '/admin/people', 'A', `'{}', array_fill('c'::text, array[41])`],
  ['a column without a name', '/admin/people', 'A', `'{}', '{null}'`],
  ['long columns', '/admin/people', 'A', `'{}', array[repeat('x', 2001)]`],
])('%s is refused', async (_, list, name, more) => {
  await asGuard(async (client) => {
    await expect(save(client, list, name, more)).rejects.toMatchObject({ code: '23514' });
  });
});

test('a person has 200 at most', async () => {
  await asGuard(async (client) => {
    const { rows } = await client.query('select count(*)::integer as count from saved_views');
    await client.query(
      `insert into saved_views (list, name) select '/admin/people', 'View ' || n from generate_series(1, $1::integer) n`,
      [200 - Number(rows[0]?.count)],
    );
    await expect(save(client, '/admin/people', 'One more')).rejects.toThrow(
      'You have 200 saved views. Delete one first.',
    );
  });
});
