// The limits that the import screens state, through the server.
import { expect, test } from 'vitest';
import { MOST_IMPORT_BYTES } from '#shared/import-limits.ts';
import { testServer } from '#tests/support/server.ts';

const server = await testServer({ LOG_LEVEL: 'fatal' });
const admin = await server.signedUp();
await server.database.owner.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [
  admin.id,
]);

const MOST_ROWS = 5000;
const lines = Array.from({ length: MOST_ROWS }, (_, at) => at + 2);

const bytesOf = (rows: unknown) => new TextEncoder().encode(JSON.stringify(rows)).length;

test('5,000 clients as large as an import may be are added', async () => {
  const filler = 'é'.repeat(Math.floor(MOST_IMPORT_BYTES / MOST_ROWS / 2) - 75);
  const rows = lines.map((line) => ({
    name: `Client ${line}`,
    number_of_guards: 12,
    monthly_rate: 123456.78,
    location: filler.slice(0, 290),
    payment_method: 'on-demand',
  }));
  const size = bytesOf(rows);
  expect([size > 1024 * 1024, size <= MOST_IMPORT_BYTES]).toEqual([true, true]);
  const { data, error } = await admin.client.rpc('import_records', {
    p_table: 'clients',
    p_rows: rows.map((row) => ({ ...row, created_by: admin.id })),
    p_lines: lines,
  });
  expect([error, data]).toEqual([null, MOST_ROWS]);
});

test('5,000 members of staff are added', async () => {
  const rows = lines.map((line) => ({
    full_name: `Guard with a name ${line}`,
    email: `guard-${line}@security.example.com`,
    phone: `+23177${String(1_000_000 + line)}`,
    role: 'guard',
    hire_date: '2026-01-05',
    salary_amount: 143,
    payment_frequency: 'monthly',
    status: 'active',
    user_id: null,
    currency: 'USD',
    pay_basis: 'salary',
    tax_resident: true,
    created_by: admin.id,
  }));
  const { data, error } = await admin.client.rpc('import_records', {
    p_table: 'staff',
    p_rows: rows,
    p_lines: lines,
  });
  expect([error, data]).toEqual([null, MOST_ROWS]);
});

test('2,000 pay accounts are tried and added, and 200 people are hired', async () => {
  const { rows: staff } = await server.database.owner.query<{ full_name: string }>(
    'select full_name from staff order by created_at, id limit 2000',
  );
  const accounts = staff.map(({ full_name }, at) => ({
    person: full_name,
    channel: 'mtn_momo',
    account_number: `+23188${1_000_000 + at}`,
  }));
  for (const p_is_trial of [true, false]) {
    const { data, error } = await admin.client.rpc('import_pay_accounts', {
      p_rows: accounts,
      p_is_trial,
      p_lines: lines.slice(0, accounts.length),
    });
    expect(error).toBeNull();
    expect(data).not.toContainEqual(expect.objectContaining({ problem: expect.any(String) }));
  }
  const { data, error } = await admin.client.rpc('hire_people', {
    p_people: lines.slice(0, 200).map((line) => ({
      full_name: `Hired ${line}`,
      phone: `+23155${1_000_000 + line}`,
      salary_amount: 143,
    })),
    p_lines: lines.slice(0, 200),
  });
  expect([error, data?.length]).toEqual([null, 200]);
});
