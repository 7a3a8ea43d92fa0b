import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, hr } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query('truncate staff cascade');
});

type Line = { name: string; amount: string; how: string };
const suggest = (gross: string, frequency = 'monthly', on = '2026-06-30') =>
  asPerson<Line>(database.owner, admin, 'select * from suggest_deductions($1, $2, $3)', [
    gross,
    frequency,
    on,
  ]);

describe('deductions', () => {
  test('of US$143 a month match the worked example, with their calculation', async () => {
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
    // Yearly tax at each band limit, in LRD.
    ['70000', '0'],
    ['200000', '6500'],
    ['800000', '96500'],
    ['1000000', '146500'],
    ['70001', '0.05'],
  ])('of a yearly income of L$%s take L$%s of tax', async (income, tax) => {
    const rows = await rolledBack(database.owner, async (client) => {
      // Out of its limits, so that the figures below are LRD.
      await client.query(`set local session_replication_role = replica;
        update pay_rates set rate = 1 where kind = 'lrd_per_usd';
        set local session_replication_role = origin`);
      await become(client, admin);
      const sql = `select round(amount * 12, 1) as tax from suggest_deductions($1::numeric / 12, 'monthly', '2026-06-30')
        where name = 'Income tax'`;
      return (await client.query<{ tax: string }>(sql, [income])).rows;
    });
    expect(Math.abs(Number(rows[0]?.tax) - Number(tax))).toBeLessThanOrEqual(0.1);
  });

  test('follow the rates in force on the day', async () => {
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

  test('are visible to admins only', async () => {
    const sql = `select * from suggest_deductions(100, 'monthly', '2026-06-30')`;
    expect(await asPerson(database.owner, hr, sql)).toEqual([]);
  });
});

test('totals of staff and payroll cover exactly the filtered rows', async () => {
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
    // Currencies are never added: each has totals of its own.
    await becomeOwner(client);
    await client.query(
      `insert into staff (full_name, salary_amount, currency) values ('Musu Togba', 9200, 'LRD')`,
    );
    await become(client, admin);
    expect(await staff('musu')).toEqual([['monthly', 2, '310.30']]);
    const { rows: inLrd } = await client.query(`select * from staff_totals(null, null, 'LRD')`);
    expect(inLrd).toEqual([{ payment_frequency: 'monthly', people: 1, salaries: '9200.00' }]);
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

    // A cancelled record counts only in the sum of cancelled ones.
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

test('totals of payroll follow every change of a record', () =>
  rolledBack(database.owner, async (client) => {
    await becomeOwner(client);
    const shown = async () => {
      await become(client, admin);
      const { rows } = await client.query(
        `select c.currency, t.period_start, t.period_end, s.status, p.*
         from (values ('LRD'), ('USD')) c (currency)
         cross join lateral payroll_totals(c.currency) t
         cross join (values ('paid'), ('pending')) s (status)
         cross join lateral payroll_sums(null, s.status, t.period_start, t.period_end, c.currency) p
         where p.records > 0 order by 1, 2, 3, 4`,
      );
      await becomeOwner(client);
      return rows;
    };
    const counted = async () =>
      (
        await client.query(
          `select currency, period_start, period_end, payment_status as status, count(*)::int as records,
             sum(base_amount) as base, sum(deductions) as deductions, sum(bonuses) as bonuses, sum(net_amount) as net,
             0 as cancelled
           from payroll group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
        )
      ).rows;
    await client.query(`
      with people as (
        insert into staff (full_name, salary_amount, currency)
        select 'Person ' || n, 100, case when n % 2 = 0 then 'USD' else 'LRD' end from generate_series(1, 6) n
        returning id, currency
      )
      insert into payroll (staff_id, period_start, period_end, base_amount, deductions, bonuses, currency)
      select id, '2026-09-01', '2026-09-30', 100.10, 10, 0.05, currency from people`);
    expect(await shown()).toHaveLength(2);
    for (const change of [
      `update payroll set payment_status = 'paid', payment_date = '2026-10-01'
       where staff_id in (select id from staff where full_name < 'Person 4')`,
      `update payroll set base_amount = 90, period_end = '2026-09-29' where currency = 'LRD'`,
      `update payroll set notes = 'Seen'`,
      `delete from payroll where payment_status = 'paid'`,
      `delete from payroll`,
    ]) {
      await client.query(change);
      expect(await shown(), change).toEqual(await counted());
    }
  }));
