// Enumerations, limits, periods and defaults, as the database enforces them.

import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { SITES_COUNTY } from '#shared/database.values.ts';
import { admin, guardHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, attempt, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
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
    ['sites', { alert_after_minutes: 0 }, CHECK],
    ['sites', { escalate_after_minutes: 241 }, CHECK],
    ['sites', { welfare_every_minutes: 9 }, CHECK],
    ['sites', { no_signal_after_minutes: 9 }, CHECK],
    ['sites', { county: 'Monrovia' }, CHECK],
    ['sites', { clock_ways: '{}' }, CHECK],
    ['sites', { clock_ways: '{phone,pigeon}' }, CHECK],
    ['sites', { clock_ways: '{phone,NULL}' }, CHECK],
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
    // A sign beside the type would count twice.
    ['bank_accounts', { current_balance: -50.25 }, CHECK],
    ['bank_accounts', { current_balance: '-0.01', balance_type: 'Cr' }, CHECK],
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
    ['loans', { opening_balance: -1 }, CHECK],
    ['loans', { current_balance: -1 }, CHECK],
    ['loans', { total_debit: -1 }, CHECK],
    ['loans', { total_credit: -1 }, CHECK],
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
    ['sites', {}, { timezone: 'Africa/Monrovia', geofence_radius_m: 200, alert_after_minutes: 10 }],
    [
      'bank_accounts',
      { address: '' },
      {
        currency: 'USD',
        balance_type: 'Dr',
        status: 'ACTIVE',
        address: null,
        current_balance: null,
      },
    ],
    ['bank_accounts', { current_balance: 0 }, { current_balance: '0.00', balance_type: 'Dr' }],
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

  test('sites in the counties of the app, and in no others', async () => {
    const { rows } = await database.owner.query<{ county: string }>(`
      select m[1] as county from pg_constraint,
        regexp_matches(pg_get_constraintdef(oid), '''([^'']+)''', 'g') m
      where conname = 'sites_county_known'`);
    expect(rows.map(({ county }) => county)).toEqual([...SITES_COUNTY]);
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
