// Enumerations, limits, periods and defaults, as the database enforces them.

import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, guardHere, hr, supervisorHere } from '#tests/support/people.ts';
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
});

type Values = Record<string, unknown>;

/** A valid row of each table; each case makes one column invalid. */
const VALID: Record<string, Values> = {
  contact_messages: { name: 'Ada', email: 'ada@x.example', message: 'Please call me back.' },
  clients: { name: 'Hotel', number_of_guards: 3, monthly_rate: 500, location: 'Sinkor' },
  deployments: {
    guard_name: 'G',
    location: 'L',
    shift_start: '2026-12-01T08:00Z',
    shift_end: '2026-12-01T16:00Z',
  },
  sites: { name: 'S', client_name: 'C', address: 'A' },
  training_courses: { title: 'Driving' },
  financial_statements: {
    title: 'Year 2025',
    period_start: '2025-01-01',
    period_end: '2025-12-31',
  },
  expense_reports: {
    title: 'Fuel',
    amount: 1,
    category: 'transport',
    expense_date: '2026-01-01',
    report_type: 'daily',
  },
  bank_accounts: { account_number: '7', account_title: 'Main', bank_name: 'Ecobank' },
  loans: { loan_account_number: '7', account_title: 'Vans', bank_name: 'Ecobank' },
  staff: { full_name: 'S', salary_amount: 1 },
  pay_rates: { kind: 'income_tax', effective_from: '2027-01-01', rate: 0.1, source: 'Law' },
};

function insert(table: string, spoil: Values): { sql: string; values: unknown[] } {
  const row = { ...VALID[table], ...spoil };
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  return {
    sql: `insert into ${table} (${columns}) values (${places}) returning *`,
    values: Object.values(row),
  };
}

const CHECK = '23514';
const MISSING = '23502';

describe('refused', () => {
  test.each<[string, Values, string]>([
    ['contact_messages', { name: 'A' }, CHECK],
    ['contact_messages', { name: ' A ' }, CHECK],
    ['contact_messages', { name: 'A'.repeat(101) }, CHECK],
    ['contact_messages', { email: 'nobody' }, CHECK],
    ['contact_messages', { email: `${'a'.repeat(250)}@x.example` }, CHECK],
    ['contact_messages', { company: 'C'.repeat(201) }, CHECK],
    ['contact_messages', { message: 'Too short' }, CHECK],
    ['contact_messages', { message: 'M'.repeat(2001) }, CHECK],
    ['clients', { payment_method: 'weekly' }, CHECK],
    ['clients', { number_of_guards: -1 }, CHECK],
    ['clients', { name: '   ' }, MISSING],
    ['deployments', { status: 'open' }, CHECK],
    ['deployments', { shift_end: '2026-12-01T08:00Z' }, CHECK],
    ['deployments', { shift_end: '2026-12-01T07:59Z' }, CHECK],
    ['deployments', { guard_name: '' }, MISSING],
    ['sites', { timezone: 'Europe/Paris' }, CHECK],
    ['sites', { latitude: 6.3 }, CHECK],
    ['sites', { latitude: 91, longitude: 0 }, CHECK],
    ['sites', { geofence_radius_m: 0 }, CHECK],
    ['training_courses', { validity_months: 0 }, CHECK],
    ['financial_statements', { title: 'Ye' }, CHECK],
    ['financial_statements', { title: 'Y'.repeat(201) }, CHECK],
    ['financial_statements', { notes: 'N'.repeat(1001) }, CHECK],
    ['financial_statements', { period_end: '2024-12-31' }, CHECK],
    ['financial_statements', { total_revenue: -1 }, CHECK],
    ['expense_reports', { category: 'food' }, CHECK],
    ['expense_reports', { report_type: 'weekly' }, CHECK],
    ['expense_reports', { amount: 0 }, CHECK],
    ['expense_reports', { title: '  Fu  ' }, CHECK],
    ['bank_accounts', { status: 'PAID_OFF' }, CHECK],
    ['bank_accounts', { balance_type: 'dr' }, CHECK],
    ['bank_accounts', { currency: 'dollars' }, CHECK],
    [
      'bank_accounts',
      { statement_period_start: '2026-02-01', statement_period_end: '2026-01-31' },
      CHECK,
    ],
    ['pay_rates', { kind: 'pension' }, CHECK],
    ['pay_rates', { rate: 1.01 }, CHECK],
    ['pay_rates', { rate: -0.1 }, CHECK],
    ['pay_rates', { source: ' ' }, MISSING],
    ['pay_rates', { kind: 'lrd_per_usd', rate: 190, from_amount: 5 }, CHECK],
    ['loans', { status: 'INACTIVE' }, CHECK],
    ['loans', { statement_period_start: '2026-02-01', statement_period_end: '2026-01-31' }, CHECK],
    ['staff', { role: 'supervisor' }, CHECK],
    ['staff', { status: 'ACTIVE' }, CHECK],
    ['staff', { payment_frequency: 'daily' }, CHECK],
    ['staff', { full_name: 'S'.repeat(101) }, CHECK],
    ['staff', { phone: '0'.repeat(21) }, CHECK],
    ['staff', { email: 'nobody' }, CHECK],
  ])('%s %j', async (table, spoil, expected) => {
    const error = await rolledBack(database.owner, (client) =>
      attempt(client, () => {
        const { sql, values } = insert(table, spoil);
        return client.query(sql, values);
      }),
    );
    expect(error).toBe(expected);
  });

  test.each([
    [`required_headcount = 0`, CHECK],
    [`end_time = start_time`, CHECK],
    [`end_time = start_time - interval '1 minute'`, CHECK],
  ])('shifts with %s', async (set, expected) => {
    const error = await rolledBack(database.owner, (client) =>
      attempt(client, () => client.query(`update shifts set ${set}`)),
    );
    expect(error).toBe(expected);
  });
});

describe('stored', () => {
  test.each<[string, Values, Values]>([
    [
      'deployments',
      { client_name: '', notes: '   ' },
      { client_name: null, notes: null, status: 'scheduled' },
    ],
    ['deployments', { guard_name: '  Joe \n' }, { guard_name: 'Joe' }],
    ['clients', {}, { payment_method: 'monthly' }],
    ['clients', { payment_method: 'cash' }, { payment_method: 'cash' }],
    ['sites', {}, { timezone: 'Africa/Monrovia', geofence_radius_m: 200 }],
    [
      'bank_accounts',
      { address: '' },
      { currency: 'USD', balance_type: 'Dr', status: 'ACTIVE', address: null },
    ],
    ['loans', {}, { currency: 'USD', account_type: 'CURRENT', status: 'ACTIVE' }],
    [
      'staff',
      { email: '', phone: '' },
      { role: 'guard', payment_frequency: 'monthly', status: 'active', email: null, phone: null },
    ],
    ['contact_messages', { company: ' ' }, { company: null, state: 'new' }],
    ['financial_statements', { period_end: '2025-01-01' }, { net_profit: null }],
    ['expense_reports', { amount: '0.01', title: 'Tea' }, { amount: '0.01' }],
  ])('%s %j as %j', async (table, given, stored) => {
    const rows = await rolledBack(database.owner, async (client) => {
      const { sql, values } = insert(table, given);
      return (await client.query(sql, values)).rows;
    });
    expect(rows).toMatchObject([stored]);
  });

  test('the author is the inserting user, whatever was sent', async () => {
    const { sql, values } = insert('clients', { created_by: guardHere.id });
    expect(await asPerson(database.owner, admin, sql, values)).toMatchObject([
      { created_by: admin.id },
    ]);
  });
});

test.each(['state', 'note', 'created_at'])(
  'a visitor’s enquiry can’t say its %s',
  async (column) => {
    const visitor = { claims: null };
    const { sql, values } = insert('contact_messages', {});
    await asPerson(database.owner, visitor, sql.replace(' returning *', ''), values);
    const spoiled = insert('contact_messages', {
      [column]: column === 'created_at' ? '2020-01-01' : 'closed',
    });
    await expect(
      asPerson(database.owner, visitor, spoiled.sql.replace(' returning *', ''), spoiled.values),
    ).rejects.toMatchObject({ code: REFUSED });
  },
);

describe('an incident', () => {
  const report = `insert into incidents (site_id, title, category, severity, description)
    select id, $1, $2, $3, $4 from sites where name = 'Here' returning status, raised_by_user_id`;
  const description = 'A window was found broken.';

  test('starts as open, raised by its reporter', async () => {
    const rows = await asPerson(database.owner, guardHere, report, [
      ' Window ',
      'theft',
      'low',
      description,
    ]);
    expect(rows).toEqual([{ status: 'open', raised_by_user_id: guardHere.id }]);
  });

  test.each([
    ['Fire', 'fire', 'low', description],
    ['T'.repeat(201), 'fire', 'low', description],
    ['Broken window', 'arson', 'low', description],
    ['Broken window', 'fire', 'severe', description],
    ['Broken window', 'fire', 'low', `${'Too short'}          `],
    ['Broken window', 'fire', 'low', 'D'.repeat(5001)],
  ])('is refused as %s, %s, %s', async (...values) => {
    await expect(asPerson(database.owner, guardHere, report, values)).rejects.toMatchObject({
      code: CHECK,
    });
  });

  test('never changes its site, reporter or time, even for an admin', async () => {
    for (const column of ['site_id', 'raised_by_user_id', 'created_at', 'id']) {
      const sql = `update incidents set ${column} = ${column}`;
      await expect(asPerson(database.owner, admin, sql)).rejects.toMatchObject({ code: REFUSED });
    }
  });

  test('can’t be reported as resolved', async () => {
    const sql = report
      .replace('description)', 'description, status)')
      .replace('$4', `$4, 'resolved'`);
    const values = ['Broken window', 'fire', 'low', description];
    await expect(asPerson(database.owner, guardHere, sql, values)).rejects.toMatchObject({
      code: REFUSED,
    });
  });

  test('accepts only its own evidence: no other incident’s file, no script', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, supervisorHere);
      const { rows } = await client.query<{ id: string }>('select id from incidents limit 2');
      const [first, second] = rows.map(({ id }) => id);
      const add = (url: string) =>
        attempt(client, () =>
          client.query(
            `insert into evidence (incident_id, type, url) values ($1, 'image/png', $2)`,
            [first, url],
          ),
        );
      expect(await add(`${first}/a.png`)).toBeUndefined();
      expect(await add('https://files.example/a.png')).toBeUndefined();
      expect(await add(`${second}/a.png`)).toBe(CHECK);
      expect(await add('javascript:alert(1)')).toBe(CHECK);
    });
  });
});

describe('leave', () => {
  const ask = `insert into leave_requests (user_id, type, start_date, end_date, reason) values ($1, $2, $3, $4, $5) returning status`;

  test.each([
    ['annual', '2027-01-10', '2027-01-09', 'Rest', CHECK],
    ['holiday', '2027-01-10', '2027-01-12', 'Rest', CHECK],
    ['annual', '2027-01-10', '2027-01-12', ' ', MISSING],
  ])('%s from %s to %s for %j is refused', async (type, from, to, reason, code) => {
    await expect(
      asPerson(database.owner, guardHere, ask, [guardHere.id, type, from, to, reason]),
    ).rejects.toMatchObject({ code });
  });

  test.each([
    ['sick', -7, undefined],
    ['sick', -8, CHECK],
    ['annual', 0, undefined],
    ['annual', -1, CHECK],
    ['emergency', -1, CHECK],
  ])('%s from day %i on: %s', async (type, days, expected) => {
    const sql = `insert into leave_requests (user_id, type, start_date, end_date, reason)
      select $1, $2, d, d + 9, 'Ill' from (select (now() at time zone 'Africa/Monrovia')::date + $3::int) as day (d)`;
    const error = await rolledBack(database.owner, async (client) => {
      await become(client, guardHere);
      return attempt(client, () => client.query(sql, [guardHere.id, type, days]));
    });
    expect(error).toBe(expected);
  });

  test('can’t be requested as already approved', async () => {
    const sql = ask.replace('reason)', 'reason, status)').replace('$5', `$5, 'approved'`);
    const values = [guardHere.id, 'sick', '2027-01-10', '2027-01-10', 'Ill'];
    await expect(asPerson(database.owner, guardHere, sql, values)).rejects.toMatchObject({
      code: REFUSED,
    });
  });

  test.each([
    ['pending', 40, 'cancelled', undefined],
    ['approved', 40, 'cancelled', undefined],
    ['approved', -1, 'cancelled', 'PT409'],
    ['rejected', 40, 'cancelled', 'PT409'],
    ['cancelled', 40, 'pending', REFUSED],
  ])(
    'that is %s and starts in %i days can be %s by the person: %s',
    async (status, days, to, expected) => {
      const error = await rolledBack(database.owner, async (client) => {
        await client.query(
          `update leave_requests set status = $2, start_date = current_date + $3::int, end_date = current_date + $3::int + 5
         where user_id = $1`,
          [guardHere.id, status, days],
        );
        await become(client, guardHere);
        return attempt(client, () => client.query('update leave_requests set status = $1', [to]));
      });
      expect(error).toBe(expected);
    },
  );

  test('that is approved is cancelled by managers only with a reason, which is stored', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(
        `update leave_requests set status = 'approved', decision_note = 'Enjoy' where user_id = $1`,
        [guardHere.id],
      );
      await become(client, hr);
      const change = (values: string) =>
        attempt(client, () =>
          client.query(`update leave_requests set ${values} where user_id = $1`, [guardHere.id]),
        );
      expect(await change(`status = 'cancelled'`)).toBe(CHECK);
      expect(await change(`status = 'cancelled', decision_note = 'Enjoy'`)).toBe(CHECK);
      expect(await change(`status = 'cancelled', decision_note = ' '`)).toBe(CHECK);
      expect(await change(`status = 'cancelled', decision_note = 'Needed here'`)).toBeUndefined();
      expect(await change(`decision_note = null`)).toBe(CHECK);
      expect(await change(`decision_note = 'The embassy needs them'`)).toBeUndefined();
    });
  });

  test('that is pending is cancelled by managers with a reason, by the person without one', async () => {
    const cancel = `update leave_requests set status = 'cancelled' where user_id = $1`;
    await rolledBack(database.owner, async (client) => {
      await become(client, hr);
      expect(await attempt(client, () => client.query(cancel, [guardHere.id]))).toBe(CHECK);
      const withReason = cancel.replace('where', `, decision_note = 'Asked for twice' where`);
      expect((await client.query(withReason, [guardHere.id])).rowCount).toBe(1);
    });
    await rolledBack(database.owner, async (client) => {
      await become(client, guardHere);
      expect((await client.query(cancel, [guardHere.id])).rowCount).toBe(1);
    });
  });

  test('of one day is accepted', async () => {
    const values = [guardHere.id, 'sick', '2027-01-10', '2027-01-10', 'Ill'];
    expect(await asPerson(database.owner, guardHere, ask, values)).toEqual([{ status: 'pending' }]);
  });

  test.each([['approved'], ['rejected']])(
    'is not %s by the person who asked, even with the role',
    async (status) => {
      const sql = 'update leave_requests set status = $2 where user_id = $1';
      await expect(asPerson(database.owner, hr, sql, [hr.id, status])).rejects.toMatchObject({
        code: REFUSED,
      });
    },
  );
});

describe('incidents of one user within 24 hours', () => {
  const report = `insert into incidents (site_id, title, category, severity, description)
    select id, 'Broken fence', 'security', 'low', 'The fence at the back gate is broken.'
    from site_options, generate_series(1, $1) limit $1`;

  test('are limited to 500, in one statement or several, without affecting other users', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('delete from incidents');
      await become(client, guardHere);
      expect(await attempt(client, () => client.query(report, [501]))).toBe('PGRST');
      await client.query(report, [499]);
      await client.query(report, [1]);
      const refusal = await client.query(report, [1]).catch((error: unknown) => error);
      expect(refusal).toMatchObject({
        code: 'PGRST',
        message: expect.stringContaining(
          'You can report at most 500 incidents within 24 hours. Please call your supervisor, or try again later.',
        ),
        detail: expect.stringContaining('"status" : 429'),
      });
    });
    await rolledBack(database.owner, async (client) => {
      await client.query('delete from incidents');
      await become(client, guardHere);
      await client.query(report, [500]);
      await become(client, supervisorHere);
      expect(await attempt(client, () => client.query(report, [1]))).toBeUndefined();
      await become(client, guardHere);
      expect(await attempt(client, () => client.query(report, [1]))).toBe('PGRST');
    });
  });

  test('count for 24 hours only', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('delete from incidents');
      await become(client, guardHere);
      await client.query(report, [500]);
      await becomeOwner(client);
      await client.query(`alter table incidents disable trigger user;
        update incidents set created_at = created_at - interval '25 hours';
        alter table incidents enable trigger user`);
      await become(client, guardHere);
      expect(await attempt(client, () => client.query(report, [1]))).toBeUndefined();
    });
  });
});
