import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, guardHere, hr, opsManager, supervisorHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, attempt, become, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

describe('import_records', () => {
  const client = (n: number) => ({
    name: `Client ${n}`,
    number_of_guards: n,
    monthly_rate: n * 100,
    location: 'Paynesville',
  });
  const rows = [1, 2, 3].map(client);
  const run = 'select import_records($1, $2) as count';

  test('inserts every row with defaults and author, and a repeat fails as a whole', async () => {
    await rolledBack(database.owner, async (connection) => {
      await become(connection, opsManager);
      expect((await connection.query(run, ['clients', JSON.stringify(rows)])).rows).toEqual([
        { count: 3 },
      ]);
      const imported = await connection.query(
        `select payment_method, created_by from clients where name like 'Client _'`,
      );
      expect(imported.rows).toEqual(
        rows.map(() => ({ payment_method: 'monthly', created_by: opsManager.id })),
      );
      const error = await attempt(connection, () =>
        connection.query(run, ['clients', JSON.stringify([client(9), ...rows])]),
      );
      expect(error).toBe('23505');
      const { rowCount } = await connection.query(`select from clients where name = 'Client 9'`);
      expect(rowCount).toBe(0);
    });
  });

  test('names the invalid row', async () => {
    const wrong = JSON.stringify([client(1), { ...client(2), number_of_guards: -2 }]);
    await expect(asPerson(database.owner, admin, run, ['clients', wrong])).rejects.toThrow(
      /^Row 2: /,
    );
  });

  test('names the row of the file, where it is sent', async () => {
    const wrong = JSON.stringify([client(1), { ...client(2), number_of_guards: -2 }]);
    await expect(
      asPerson(database.owner, admin, 'select import_records($1, $2, $3)', [
        'clients',
        wrong,
        [3, 7],
      ]),
    ).rejects.toThrow(/^Row 7: /);
    const people = JSON.stringify([
      { full_name: 'A', phone: '0770999001', salary_amount: 1 },
      { full_name: 'B' },
    ]);
    await expect(
      asPerson(database.owner, admin, 'select hire_people($1, $2)', [people, [3, 7]]),
    ).rejects.toThrow(/^Row 7: /);
  });

  test('stores staff with what an export has: status, currency, pay basis and residence', async () => {
    await rolledBack(database.owner, async (connection) => {
      await become(connection, admin);
      const row = {
        full_name: 'Exported',
        salary_amount: 300,
        status: 'inactive',
        currency: 'LRD',
        pay_basis: 'hourly',
        tax_resident: false,
      };
      await connection.query(run, ['staff', JSON.stringify([row])]);
      const { rows: stored } = await connection.query(
        `select s.status, s.currency, s.pay_basis, s.tax_resident, b.currency as basis_currency, b.amount
         from staff s join pay_bases b on b.staff_id = s.id where s.full_name = 'Exported'`,
      );
      expect(stored).toEqual([
        {
          status: 'inactive',
          currency: 'LRD',
          pay_basis: 'hourly',
          tax_resident: false,
          basis_currency: 'LRD',
          amount: '300.00',
        },
      ]);
    });
  });

  test('stores sites with their client, for those who may add them', async () => {
    const site = (n: number) => ({
      name: `Imported site ${n}`,
      client_name: 'Imported client',
      client_id: null,
      address: 'Paynesville',
      timezone: 'Africa/Monrovia',
      latitude: 6.3005,
      longitude: -10.7969,
      geofence_radius_m: 150,
      county: 'Montserrado',
    });
    await rolledBack(database.owner, async (connection) => {
      await become(connection, opsManager);
      const { rows: added } = await connection.query(run, [
        'sites',
        JSON.stringify([site(1), site(2)]),
      ]);
      expect(added).toEqual([{ count: 2 }]);
      const { rows: stored } = await connection.query(
        `select name, longitude, geofence_radius_m, alert_after_minutes, cardinality(clock_ways) as ways
         from sites where name like 'Imported site _' order by name`,
      );
      expect(stored).toEqual(
        [1, 2].map((n) => ({
          name: `Imported site ${n}`,
          longitude: -10.7969,
          geofence_radius_m: 150,
          alert_after_minutes: 10,
          ways: 5,
        })),
      );
    });
    const half = JSON.stringify([site(1), { ...site(2), longitude: null }]);
    await expect(
      asPerson(database.owner, admin, 'select import_records($1, $2, $3)', ['sites', half, [2, 5]]),
    ).rejects.toThrow(/^Row 5: /);
    for (const person of [hr, supervisorHere, guardHere]) {
      await expect(
        asPerson(database.owner, person, run, ['sites', JSON.stringify([site(1)])]),
      ).rejects.toMatchObject({ code: REFUSED });
    }
  });

  test.each([
    ['user_roles', [{ role: 'admin' }], '22023'],
    ['clients', [], '22023'],
    ['clients', { name: 'x' }, '22023'],
    ['clients', ['x'], '22023'],
    ['clients', [{ 'name" = 1; --': 'x' }], '42703'],
    ['staff', [{ full_name: 'A', salary_amount: 'much' }], '22P02'],
  ])('refuses %s %j', async (table, entries, code) => {
    await expect(
      asPerson(database.owner, admin, run, [table, JSON.stringify(entries)]),
    ).rejects.toMatchObject({ code });
  });

  test('needs the same permissions as an insert', async () => {
    const staff = JSON.stringify([{ full_name: 'A', salary_amount: 1 }]);
    await expect(asPerson(database.owner, opsManager, run, ['staff', staff])).rejects.toMatchObject(
      { code: REFUSED },
    );
    await expect(
      asPerson(database.owner, guardHere, run, ['clients', JSON.stringify(rows)]),
    ).rejects.toMatchObject({ code: REFUSED });
  });
});
