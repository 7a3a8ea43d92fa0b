// Timesheets exist by themselves: these tests set facts and, for what begins with a day, run what the servers run.
import type { PoolClient } from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { bystander } from '#tests/support/people.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
const person = bystander.id;

beforeAll(async () => {
  database = await freshDatabase();
  await database.owner.query(
    `insert into auth.users (id, aud, role, email, raw_user_meta_data)
     values ($1, 'authenticated', 'authenticated', 'saah@people.example', '{"full_name": "Saah Cole"}')`,
    [person],
  );
  // The account is as old as the company.
  await database.owner.query(
    `set session_replication_role = replica; update profiles set created_at = '2024-01-01'; set session_replication_role = origin`,
  );
});

const story = (work: (client: PoolClient) => Promise<void>) => rolledBack(database.owner, work);

async function shift(client: PoolClient, from: string, to: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `with site as (
       insert into sites (name, client_name, address) values ('Gate', 'Port', 'Monrovia') returning id
     ), shift as (
       insert into shifts (site_id, start_time, end_time) select id, $1, $2 from site returning id
     )
     insert into assignments (shift_id, user_id, override_reason) select id, $3, 'Flood' from shift returning id`,
    [from, to, person],
  );
  return rows[0]?.id ?? '';
}

const hire = (client: PoolClient, columns: Record<string, string> = {}) => {
  const row = { full_name: 'Saah Cole', user_id: person, salary_amount: '143', ...columns };
  const names = Object.keys(row);
  return client.query(
    `insert into staff (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  );
};

/** `first last` of each sheet. */
async function sheets(client: PoolClient, before = 'infinity'): Promise<string[]> {
  const { rows } = await client.query<{ period: string }>(
    `select period_start || ' ' || period_end as period from timesheets
     where user_id = $1 and period_start < $2 order by 1`,
    [person, before],
  );
  return rows.map(({ period }) => period);
}

/** Days by SQL about today, in the words of `sheets`. */
async function days(client: PoolClient, ...pairs: [from: string, to: string][]): Promise<string[]> {
  const { rows } = await client.query<{ days: string[] }>(
    `select array[${pairs.map(([from, to]) => `(${from})::date || ' ' || (${to})::date`).join(', ')}]::text[] as days
     from (select private.company_date() as today, date_trunc('month', private.company_date())::date as month) t`,
  );
  return rows[0]?.days ?? [];
}

const MONTH: [string, string] = ['month', `month + interval '1 month - 1 day'`];

/** As if the servers had been off since this many days. */
async function serversReturn(client: PoolClient, offForDays: number): Promise<void> {
  await client.query(
    'update private.time_swept set made_until = private.company_date() - $1::int',
    [offForDays],
  );
  await client.query('select private.due_time()');
}

describe('a fact makes the timesheet of its period', () => {
  test.each([
    [
      'a night over the end of a month',
      '2025-03-31T22:00Z',
      '2025-04-01T06:00Z',
      ['2025-03-01 2025-03-31', '2025-04-01 2025-04-30'],
    ],
    [
      'a night over the end of a year',
      '2025-12-31T22:00Z',
      '2026-01-01T06:00Z',
      ['2025-12-01 2025-12-31', '2026-01-01 2026-01-31'],
    ],
    [
      'a shift of a period that has not begun',
      '2032-02-29T06:00Z',
      '2032-02-29T18:00Z',
      ['2032-02-01 2032-02-29'],
    ],
  ])('%s', (_, from, to, expected) =>
    story(async (client) => {
      await shift(client, from, to);
      expect(await sheets(client)).toEqual(expected);
    }),
  );

  test('attendance, with its hours', () =>
    story(async (client) => {
      const assignment = await shift(client, '2025-03-03T06:00Z', '2025-03-03T18:00Z');
      await client.query(
        `insert into attendance (assignment_id, clock_in_at, clock_out_at) values ($1, '2025-03-03T06:00Z', '2025-03-03T18:00Z')`,
        [assignment],
      );
      const { rows } = await client.query(
        'select period_start::text, planned_minutes, regular_minutes from timesheets',
      );
      expect(rows).toEqual([
        { period_start: '2025-03-01', planned_minutes: 720, regular_minutes: 720 },
      ]);
    }));

  test('leave once it is approved', () =>
    story(async (client) => {
      await client.query(
        `insert into leave_requests (user_id, type, start_date, end_date, reason) values ($1, 'annual', '2025-12-29', '2026-01-02', 'Family')`,
        [person],
      );
      expect(await sheets(client)).toEqual([]);
      await client.query(`update leave_requests set status = 'approved'`);
      expect(await sheets(client)).toEqual(['2025-12-01 2025-12-31', '2026-01-01 2026-01-31']);
    }));

  test('a clock event as soon as the servers come to it', () =>
    story(async (client) => {
      const assignment = await shift(client, '2025-03-03T06:00Z', '2025-03-03T18:00Z');
      await client.query(
        `delete from timesheets; select set_config('app.clock_event', gen_random_uuid()::text, true)`,
      );
      await client.query(
        `insert into attendance (assignment_id, clock_in_at, clock_out_at) values ($1, '2025-03-03T06:00Z', '2025-03-03T18:00Z')`,
        [assignment],
      );
      expect(await sheets(client)).toEqual([]);
      await client.query('select private.due_time()');
      expect(await sheets(client)).toEqual(['2025-03-01 2025-03-31']);
    }));
});

describe('a person who is employed', () => {
  test('has the timesheet of this period from the hire on, and none of the time before', () =>
    story(async (client) => {
      await hire(client, { hire_date: '2024-01-01' });
      expect(await sheets(client)).toEqual(await days(client, MONTH));
    }));

  test('has none before the first day', () =>
    story(async (client) => {
      await client.query(
        `select set_config('app.first', (date_trunc('month', private.company_date()) + interval '1 month')::date::text, true)`,
      );
      await client.query(
        `insert into staff (full_name, user_id, salary_amount, hire_date) values ('Saah Cole', $1, 143, current_setting('app.first')::date)`,
        [person],
      );
      await serversReturn(client, 1);
      expect(await sheets(client)).toEqual([]);
    }));

  test('and was hired weeks ago, in the middle of a month, has each timesheet since', () =>
    story(async (client) => {
      await client.query(`update profiles set created_at = now()`);
      await client.query(
        `insert into staff (full_name, user_id, salary_amount, hire_date)
         values ('Saah Cole', $1, 143, (date_trunc('month', private.company_date()) - interval '16 days')::date)`,
        [person],
      );
      expect(await sheets(client)).toEqual(
        await days(client, [`month - interval '1 month'`, 'month - 1'], MONTH),
      );
    }));

  test('has each timesheet that began while the servers were off', () =>
    story(async (client) => {
      await hire(client, { hire_date: '2024-01-01', created_at: '2024-01-01' });
      await client.query('delete from timesheets');
      await serversReturn(client, 50);
      const found = await sheets(client);
      expect(found.at(-1)).toBe((await days(client, MONTH))[0]);
      const { rows } = await client.query(
        `select (private.company_date() - 50) >= min(period_start) as covers, sum(period_end - period_start + 1) =
           max(period_end) - min(period_start) + 1 as has_no_gap from timesheets`,
      );
      expect(rows).toEqual([{ covers: true, has_no_gap: true }]);
      await serversReturn(client, 50);
      expect(await sheets(client)).toEqual(found);
    }));

  test('and is a guard without a staff record has them, too', () =>
    story(async (client) => {
      await client.query(`insert into user_roles (user_id, role) values ($1, 'guard')`, [person]);
      expect(await sheets(client)).toEqual(await days(client, MONTH));
    }));

  test('has the last timesheet of the employment, and none after it', () =>
    story(async (client) => {
      await hire(client, { hire_date: '2024-01-01' });
      await client.query(
        `select set_config('app.next', (date_trunc('month', private.company_date()) + interval '1 month')::date::text, true)`,
      );
      const { rows } = await client.query<{ day: string }>(
        `select current_setting('app.next') as day`,
      );
      const next = rows[0]?.day ?? '';
      const later = await shift(client, `${next}T06:00Z`, `${next}T18:00Z`);
      expect(await sheets(client)).toHaveLength(2);
      await client.query(`update staff set end_date = private.company_date(), status = 'inactive'`);
      expect(await sheets(client)).toHaveLength(2);
      await client.query(`update assignments set status = 'cancelled' where id = $1`, [later]);
      expect(await sheets(client)).toEqual(await days(client, MONTH));
      await client.query(`update staff set end_date = private.company_date() - 200`);
      expect(await sheets(client)).toEqual([]);
    }));
});

describe('a pay group that changes', () => {
  const change = (client: PoolClient, day: string, frequency: string) =>
    client.query(
      `insert into pay_bases (staff_id, effective_from, payment_frequency, amount) select id, $1, $2, 40 from staff`,
      [day, frequency],
    );
  const monthOf = async (client: PoolClient) => {
    await hire(client, { hire_date: '2024-01-01' });
    await client.query('delete from timesheets');
    for (const day of ['03', '12', '20', '27']) {
      await shift(client, `2025-03-${day}T06:00Z`, `2025-03-${day}T18:00Z`);
    }
    expect(await sheets(client, '2026-01-01')).toEqual(['2025-03-01 2025-03-31']);
  };
  const planned = async (client: PoolClient) => {
    const { rows } = await client.query<{ minutes: number }>(
      `select planned_minutes as minutes from timesheets where period_start < '2026-01-01' order by period_start`,
    );
    return rows.map(({ minutes }) => minutes);
  };
  const WEEKS = [
    '2025-03-01 2025-03-14',
    '2025-03-15 2025-03-16',
    '2025-03-17 2025-03-23',
    '2025-03-24 2025-03-30',
  ];

  test('ends the month there, and goes on by weeks', () =>
    story(async (client) => {
      await monthOf(client);
      await change(client, '2025-03-15', 'weekly');
      expect((await sheets(client, '2026-01-01')).filter((period) => period !== WEEKS[1])).toEqual(
        WEEKS.filter((_, i) => i !== 1),
      );
      expect((await planned(client)).filter((minutes) => minutes > 0)).toEqual([1440, 720, 720]);
    }));

  test('and is reverted makes one month of it again', () =>
    story(async (client) => {
      await monthOf(client);
      await change(client, '2025-03-15', 'weekly');
      await client.query(`delete from pay_bases where effective_from = '2025-03-15'`);
      expect(await sheets(client, '2026-01-01')).toEqual(['2025-03-01 2025-03-31']);
      expect(await planned(client)).toEqual([2880]);
    }));

  test('opens what was approved, and leaves what is locked', () =>
    story(async (client) => {
      await monthOf(client);
      await client.query(`update timesheets set status = 'approved', approved_at = now()`);
      await change(client, '2025-03-15', 'weekly');
      const { rows } = await client.query(
        `select status, note from timesheets where period_start = '2025-03-01'`,
      );
      expect(rows).toEqual([{ status: 'open', note: 'The pay group has changed.' }]);
      await client.query(
        `update timesheets set status = 'locked' where period_start = '2025-03-17'`,
      );
      await client.query(`delete from pay_bases where effective_from = '2025-03-15'`);
      expect(await sheets(client, '2026-01-01')).toEqual([
        '2025-03-01 2025-03-16',
        '2025-03-17 2025-03-23',
        '2025-03-24 2025-03-31',
      ]);
    }));
});
