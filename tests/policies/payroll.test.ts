// What payroll suggests and drafts: the worked figures, once for each person, and only for admins.
import { beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '#tests/support/database.ts';
import { admin, guardHere, hr } from './people.ts';
import { buildScene } from './scene.ts';
import { asPerson, attempt, become, becomeOwner, REFUSED, rolledBack } from './session.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  await buildScene(database.owner);
  await database.owner.query('delete from payroll; delete from staff');
});

type Line = { name: string; amount: string; how: string };
const suggest = (gross: string, frequency = 'monthly', on = '2026-06-30') =>
  asPerson<Line>(database.owner, admin, 'select * from suggest_deductions($1, $2, $3)', [
    gross,
    frequency,
    on,
  ]);

describe('deductions', () => {
  test('of US$143 a month are the worked figures, with their calculation', async () => {
    expect(await suggest('143')).toEqual([
      {
        name: 'Income tax',
        amount: '10.81',
        how: 'US$143.00 x 12 = L$315,744.00 a year at L$184 per US$; tax L$23,861.60 a year',
      },
      { name: 'NASSCORP', amount: '5.72', how: '4% of US$143.00' },
    ]);
  });

  test.each([
    // At each border of a band, in LRD a year: the tax of that year.
    ['70000', '0'],
    ['200000', '6500'],
    ['800000', '96500'],
    ['1000000', '146500'],
    ['70001', '0.05'],
  ])('of a yearly income of L$%s take L$%s of tax', async (income, tax) => {
    const rows = await rolledBack(database.owner, async (client) => {
      await client.query(`update pay_rates set rate = 1 where kind = 'lrd_per_usd'`);
      await become(client, admin);
      const sql = `select round(amount * 12, 1) as tax from suggest_deductions($1::numeric / 12, 'monthly', '2026-06-30')
        where name = 'Income tax'`;
      return (await client.query<{ tax: string }>(sql, [income])).rows;
    });
    expect(Math.abs(Number(rows[0]?.tax) - Number(tax))).toBeLessThanOrEqual(0.1);
  });

  test('follow the rates of the day', async () => {
    const lines = await rolledBack(database.owner, async (client) => {
      await client.query(
        `insert into pay_rates (kind, effective_from, rate, source) values ('nasscorp_employee', '2026-07-01', 0.05, 'Law')`,
      );
      await become(client, admin);
      const of = (day: string) =>
        client.query(
          `select amount from suggest_deductions(100, 'weekly', $1) where name = 'NASSCORP'`,
          [day],
        );
      return [(await of('2026-06-30')).rows[0], (await of('2026-07-01')).rows[0]];
    });
    expect(lines).toEqual([{ amount: '4.00' }, { amount: '5.00' }]);
  });

  test('are nothing to anyone but an admin', async () => {
    const sql = `select * from suggest_deductions(100, 'monthly', '2026-06-30')`;
    expect(await asPerson(database.owner, hr, sql)).toEqual([]);
  });
});

const STAFF = `insert into staff (full_name, salary_amount, payment_frequency, status) values
  ('Monthly', 143, 'monthly', 'active'), ('Weekly', 35, 'weekly', 'active'), ('Gone', 143, 'monthly', 'inactive')`;
const DRAFT = `select * from draft_payroll('2026-06-01', '2026-06-30')`;

describe('a drafted period', () => {
  test('has one pending record for each active person, and a repeat makes none twice', async () => {
    const [first, second, rows] = await rolledBack(database.owner, async (client) => {
      await client.query(STAFF);
      await become(client, admin);
      const drafts = [(await client.query(DRAFT)).rows, (await client.query(DRAFT)).rows];
      const { rows } = await client.query(
        `select s.full_name, p.base_amount, p.deductions, p.net_amount, p.payment_status
         from payroll p join staff s on s.id = p.staff_id order by s.full_name`,
      );
      return [...drafts, rows];
    });
    expect(first).toEqual([{ added: 2, skipped: 0 }]);
    expect(second).toEqual([{ added: 0, skipped: 2 }]);
    expect(rows).toEqual([
      {
        full_name: 'Monthly',
        base_amount: '143.00',
        deductions: '16.53',
        net_amount: '126.47',
        payment_status: 'pending',
      },
      // 35 x 52 x 30 / 365
      expect.objectContaining({ full_name: 'Weekly', base_amount: '149.59' }),
    ]);
  });

  test('may be drafted again for whom it was cancelled', async () => {
    const again = await rolledBack(database.owner, async (client) => {
      await client.query(STAFF);
      await become(client, admin);
      await client.query(DRAFT);
      await client.query(`update payroll set payment_status = 'cancelled'`);
      return (await client.query(DRAFT)).rows;
    });
    expect(again).toEqual([{ added: 2, skipped: 0 }]);
  });

  test('is drafted once when two draft it at the same time', async () => {
    const one = await database.owner.connect();
    const other = await database.owner.connect();
    try {
      await database.owner.query(STAFF);
      await one.query('begin');
      await become(one, admin);
      await one.query(DRAFT);
      await other.query('begin');
      await become(other, admin);
      const second = other.query(DRAFT);
      await one.query('commit');
      expect((await second).rows).toEqual([{ added: 0, skipped: 2 }]);
      await other.query('commit');
      const { rows } = await database.owner.query('select count(*)::int from payroll');
      expect(rows).toEqual([{ count: 2 }]);
    } finally {
      one.release();
      other.release();
      await database.owner.query('delete from payroll; delete from staff');
    }
  });

  test('is refused to everyone else, and without a sensible period', async () => {
    await rolledBack(database.owner, async (client) => {
      for (const person of [hr, guardHere]) {
        await become(client, person);
        expect(await attempt(client, () => client.query(DRAFT))).toBe(REFUSED);
      }
      await become(client, admin);
      const backwards = `select draft_payroll('2026-06-30', '2026-06-01')`;
      expect(await attempt(client, () => client.query(backwards))).toBe('22023');
    });
  });
});

test('the totals of a period leave out what was cancelled', async () => {
  const rows = await rolledBack(database.owner, async (client) => {
    await client.query(STAFF);
    await become(client, admin);
    await client.query(DRAFT);
    await becomeOwner(client);
    await client.query(`update payroll set bonuses = 10, payment_status = 'paid'
      where staff_id = (select id from staff where full_name = 'Monthly')`);
    await client.query(`update payroll set payment_status = 'cancelled'
      where staff_id = (select id from staff where full_name = 'Weekly')`);
    await become(client, admin);
    return (
      await client.query(
        'select records, base, deductions, bonuses, net, unpaid from payroll_totals()',
      )
    ).rows;
  });
  expect(rows).toEqual([
    {
      records: '1',
      base: '143.00',
      deductions: '16.53',
      bonuses: '10.00',
      net: '136.47',
      unpaid: null,
    },
  ]);
});

test('what stands under the columns of staff and payroll is the sum of what the search and the filters leave', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(`with people as (
        insert into staff (full_name, phone, salary_amount, payment_frequency, status) values
          ('Musu Flomo', '0770 100', 150.10, 'monthly', 'active'), ('Musu Kollie', null, 160.20, 'monthly', 'inactive'),
          ('Korpo Flomo', null, 40, 'weekly', 'active')
        returning id, full_name
      )
      insert into payroll (staff_id, period_start, period_end, base_amount, deductions, bonuses, payment_status)
      select id, '2026-09-01', '2026-09-30', 100.10, 10, 0.05, case full_name when 'Korpo Flomo' then 'paid' else 'pending' end
      from people`);
    await become(client, admin);
    const staff = async (search: string | null, status: string | null = null) =>
      (await client.query('select * from staff_totals($1, $2)', [search, status])).rows.map(
        Object.values,
      );
    expect(await staff(null)).toEqual([
      ['monthly', 2, '310.30'],
      ['weekly', 1, '40.00'],
    ]);
    expect(await staff('FLOMO musu 0770')).toEqual([['monthly', 1, '150.10']]);
    expect(await staff('musu', 'inactive')).toEqual([['monthly', 1, '160.20']]);
    expect(await staff('%')).toEqual([]);
    const sums = async (...filters: (string | null)[]) =>
      (await client.query('select * from payroll_sums($1, $2, $3, $4)', filters)).rows.map(
        Object.values,
      );
    const september = ['2026-09-01', '2026-09-30'];
    expect(await sums(null, null, ...september)).toEqual([
      [3, '300.30', '30.00', '0.15', '270.45', 0],
    ]);
    expect(await sums('flomo', 'pending', null, null)).toEqual([
      [1, '100.10', '10.00', '0.05', '90.15', 0],
    ]);
    expect(await sums('nobody', null, null, null)).toEqual([[0, '0', '0', '0', '0', 0]]);

    // A cancelled record pays nobody: it is in no sum but that of the cancelled ones.
    await client.query(
      `update payroll set payment_status = 'cancelled' where payment_status = 'paid' and period_start = '2026-09-01'`,
    );
    expect(await sums(null, null, ...september)).toEqual([
      [2, '200.20', '20.00', '0.10', '180.30', 1],
    ]);
    expect(await sums(null, 'cancelled', ...september)).toEqual([
      [1, '100.10', '10.00', '0.05', '90.15', 0],
    ]);
    await become(client, hr);
    expect(await staff(null)).toEqual([]);
    expect(await sums(null, null, ...september)).toEqual([[0, '0', '0', '0', '0', 0]]);
  });
});
