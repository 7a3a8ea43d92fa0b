import { DatabaseError, type PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, guardHere, hr } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query('truncate staff cascade');
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

  test('is not drafted for people whom only pay runs pay', async () => {
    const drafts = await rolledBack(database.owner, async (client) => {
      await client.query(STAFF);
      await client.query(`update staff set currency = 'LRD' where full_name = 'Weekly'`);
      await become(client, admin);
      return [(await client.query(DRAFT)).rows, (await client.query(DRAFT)).rows];
    });
    expect(drafts).toEqual([
      [{ added: 1, skipped: 0, overlapping: [] }],
      [{ added: 0, skipped: 1, overlapping: [] }],
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
      await database.owner.query('truncate staff cascade');
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
