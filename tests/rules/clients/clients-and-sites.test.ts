import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, hr, newcomer, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, become, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

test('client totals cover the clients that the caller can see', async () => {
  const sql = `select * from client_totals('bank')`;
  expect(await asPerson(database.owner, opsManager, sql)).toEqual([
    { client_count: 1, total_guards: 4, monthly_revenue: '900.00' },
  ]);
  expect(await asPerson(database.owner, hr, sql)).toEqual([
    { client_count: 0, total_guards: 0, monthly_revenue: '0' },
  ]);
});

test('client totals of a search count clients that match every word', async () => {
  await rolledBack(database.owner, async (connection) => {
    await connection.query(`insert into clients (name, number_of_guards, monthly_rate, location) values
      ('100% Cotton', 3, 1000.10, 'Sinkor'), ('Cotton_Gin', 2, 0.25, 'Harper'), ('Bank of Cotton', 0, 7, 'Ganta')`);
    await become(connection, opsManager);
    const totals = async (search: string | null) =>
      (await connection.query('select * from client_totals($1)', [search])).rows.map(Object.values);
    expect(await totals('COTTON')).toEqual([[3, 5, '1007.35']]);
    expect(await totals(' cotton  sinkor ')).toEqual([[1, 3, '1000.10']]);
    // Wildcards are matched literally.
    expect(await totals('%')).toEqual([[1, 3, '1000.10']]);
    expect(await totals('n_g')).toEqual([[1, 2, '0.25']]);
    expect(await totals('nowhere')).toEqual([[0, 0, '0']]);
    expect(await totals(null)).toEqual(await totals(''));
  });
});

describe('site_options', () => {
  test('returns all names to every member, and is read-only', async () => {
    const options = await asPerson<Record<string, unknown>>(
      database.owner,
      newcomer,
      'select * from site_options order by name',
    );
    expect(options.map((option) => option.name)).toEqual(['Billed', 'Elsewhere', 'Here', 'Spare']);
    expect(Object.keys(options[0] ?? {})).toEqual(['id', 'name']);
    for (const sql of [
      `update site_options set name = 'x'`,
      'delete from site_options',
      `insert into site_options (name) values ('x')`,
    ]) {
      await expect(asPerson(database.owner, admin, sql)).rejects.toMatchObject({ code: REFUSED });
    }
  });
});
