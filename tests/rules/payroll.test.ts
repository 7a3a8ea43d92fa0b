import { DatabaseError, type PoolClient } from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, guardHere, hr } from '#tests/support/people.ts';
import { buildScene } from '#tests/support/scene.ts';
import {
  asPerson,
  attempt,
  become,
  becomeOwner,
  REFUSED,
  rolledBack,
} from '#tests/support/session.ts';

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
      await client.query(`update pay_rates set rate = 1 where kind = 'lrd_per_usd'`);
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

const STAFF = `insert into staff (full_name, salary_amount, payment_frequency, status) values
  ('Monthly', 143, 'monthly', 'active'), ('Weekly', 35, 'weekly', 'active'), ('Gone', 143, 'monthly', 'inactive')`;
const DRAFT = `select * from draft_payroll('2026-06-01', '2026-06-30')`;

/** Adds a record for the named person, in the caller's transaction. */
const record = (name: string, start: string, end: string, status = 'pending') => ({
  text: `insert into payroll (staff_id, period_start, period_end, base_amount, payment_status)
    select id, $2::date, $3::date, 100, $4 from staff where full_name = $1 returning id`,
  values: [name, start, end, status],
});

/** @returns the error message that a client gets; undefined on success */
async function refusal(client: PoolClient, query: { text: string; values: unknown[] }) {
  await client.query('savepoint refused');
  try {
    await client.query(query);
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await client.query('rollback to savepoint refused');
    return `${error.code} ${error.message}`;
  }
}

describe('the pay periods of one person', () => {
  const IN_THE_WAY =
    '23P01 Weekly already has a payroll record from Nov 9, 2026 to Nov 15, 2026 (paid).';

  test('can’t overlap by even one day, and the error names the other record', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(STAFF);
      await become(client, admin);
      await client.query(record('Weekly', '2026-11-09', '2026-11-15', 'paid'));
      for (const [start, end] of [
        ['2026-11-09', '2026-11-15'],
        ['2026-11-10', '2026-11-12'],
        ['2026-11-01', '2026-11-30'],
        ['2026-11-15', '2026-11-21'],
        ['2026-11-01', '2026-11-09'],
      ] as const) {
        expect(await refusal(client, record('Weekly', start, end))).toBe(IN_THE_WAY);
      }
      expect(await refusal(client, record('Weekly', '2026-11-16', '2026-11-22'))).toBeUndefined();
      expect(await refusal(client, record('Weekly', '2026-11-08', '2026-11-08'))).toBeUndefined();
      expect(await refusal(client, record('Monthly', '2026-11-01', '2026-11-30'))).toBeUndefined();
    });
  });

  test('can overlap cancelled records, which are restored only into a free period', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(STAFF);
      await become(client, admin);
      const wrong = await client.query(record('Weekly', '2026-11-10', '2026-11-12', 'cancelled'));
      await client.query(record('Weekly', '2026-11-09', '2026-11-15', 'paid'));
      const change = (columns: string) => ({
        text: `update payroll set ${columns} where id = $1`,
        values: [wrong.rows[0]?.id],
      });
      expect(await refusal(client, change(`notes = 'Typed twice'`))).toBeUndefined();
      expect(await refusal(client, change(`payment_status = 'pending'`))).toBe(IN_THE_WAY);
      expect(
        await refusal(client, change(`payment_status = 'paid', period_end = '2026-11-10'`)),
      ).toBe(IN_THE_WAY);
      const free = `payment_status = 'paid', period_start = '2026-11-16', period_end = '2026-11-22'`;
      expect(await refusal(client, change(free))).toBeUndefined();
      expect(await refusal(client, change(`period_start = '2026-11-15'`))).toBe(IN_THE_WAY);
      const other = `staff_id = (select id from staff where full_name = 'Monthly')`;
      expect(await refusal(client, change(other))).toBeUndefined();
    });
  });

  test('are kept apart by the constraint itself, without the trigger', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(STAFF);
      await client.query('alter table payroll disable trigger user');
      const insert = (status: string) => ({
        text: `insert into payroll (staff_id, period_start, period_end, base_amount, net_amount, payment_status)
          select id, '2026-11-01', '2026-11-30', 100, 100, $1 from staff where full_name = 'Monthly'`,
        values: [status],
      });
      expect(await refusal(client, insert('paid'))).toBeUndefined();
      expect(await refusal(client, insert('cancelled'))).toBeUndefined();
      expect(await refusal(client, insert('pending'))).toMatch(
        /^23P01 .*"payroll_periods_do_not_overlap"/,
      );
    });
  });

  test('are not revealed to callers who can’t read them', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(STAFF);
      const { rows } = await client.query(record('Weekly', '2026-11-09', '2026-11-15', 'paid'));
      const { rows: found } = await client.query('select staff_id from payroll where id = $1', [
        rows[0]?.id,
      ]);
      await become(client, guardHere);
      const text = `insert into payroll (staff_id, period_start, period_end, base_amount)
        values ($1, '2026-11-09', '2026-11-15', 100)`;
      const answer = await refusal(client, { text, values: [found[0]?.staff_id] });
      expect(answer).toMatch(/^42501 new row violates row-level security policy/);
    });
  });
});

describe('a drafted period', () => {
  test('skips people already paid for part of it, and names them', async () => {
    const [draft, paid] = await rolledBack(database.owner, async (client) => {
      await client.query(STAFF);
      await become(client, admin);
      await client.query(record('Weekly', '2026-06-08', '2026-06-14', 'paid'));
      await client.query(record('Weekly', '2026-06-29', '2026-07-05'));
      await client.query(record('Monthly', '2026-06-01', '2026-06-30', 'cancelled'));
      const { rows } = await client.query(DRAFT);
      const { rows: drafted } = await client.query(
        `select s.full_name from payroll p join staff s on s.id = p.staff_id
         where p.period_start = '2026-06-01' and p.payment_status = 'pending'`,
      );
      return [rows, drafted];
    });
    expect(draft).toEqual([
      {
        added: 1,
        skipped: 1,
        overlapping: [
          {
            full_name: 'Weekly',
            period_start: '2026-06-08',
            period_end: '2026-06-14',
            payment_status: 'paid',
            records: 2,
          },
        ],
      },
    ]);
    expect(paid).toEqual([{ full_name: 'Monthly' }]);
  });

  test('has one pending record per active person, and drafting again adds none', async () => {
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
    expect(first).toEqual([{ added: 2, skipped: 0, overlapping: [] }]);
    expect(second).toEqual([{ added: 0, skipped: 2, overlapping: [] }]);
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

  test('can be drafted again for people whose record was cancelled', async () => {
    const again = await rolledBack(database.owner, async (client) => {
      await client.query(STAFF);
      await become(client, admin);
      await client.query(DRAFT);
      await client.query(`update payroll set payment_status = 'cancelled'`);
      return (await client.query(DRAFT)).rows;
    });
    expect(again).toEqual([{ added: 2, skipped: 0, overlapping: [] }]);
  });

  test('is drafted once when two admins draft it at the same time', async () => {
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
      expect((await second).rows).toEqual([{ added: 0, skipped: 2, overlapping: [] }]);
      await other.query('commit');
      const { rows } = await database.owner.query('select count(*)::int from payroll');
      expect(rows).toEqual([{ count: 2 }]);
    } finally {
      one.release();
      other.release();
      await database.owner.query('delete from payroll; delete from staff');
    }
  });

  test('is refused to other roles, and for an invalid period', async () => {
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

test('the totals of a period exclude cancelled records', async () => {
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
