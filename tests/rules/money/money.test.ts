import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, attempt, become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(
    'delete from bank_imports; delete from bank_accounts; delete from loans; delete from financial_statements; delete from expense_reports',
  );
});

/** Formats cents as PostgreSQL prints a numeric. */
function printed(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Seeded pseudo-random amounts up to ten million, in cents. */
function amounts(count: number): bigint[] {
  let state = 42n;
  return Array.from({ length: count }, () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return ((state >> 16n) % 1_000_000_000n) + 1n;
  });
}

const total = (cents: bigint[]): bigint => cents.reduce((sum, value) => sum + value, 0n);

interface Cashflow {
  currency: string;
  inflows: string;
  outflows: string;
  net: string;
  bank_balance: string;
  loan_balance: string;
}

test('cashflow over 10,000 random amounts is exact, by currency', async () => {
  const cents = amounts(10_000);
  const texts = cents.map(printed);
  const part = (from: number, to: number) =>
    [texts.slice(from, to), cents.slice(from, to)] as const;
  const [expenseTexts, expenses] = part(0, 3000);
  const [crTexts, cr] = part(3000, 5000);
  const [drTexts, dr] = part(5000, 7000);
  const [creditTexts, credits] = part(7000, 8500);
  const [debitTexts, debits] = part(8500, 10_000);
  const rows = await rolledBack(database.owner, async (client) => {
    await client.query(
      `insert into expense_reports (title, amount, category, expense_date, report_type)
       select 'Expense', amount, 'other', '2026-01-01', 'daily' from unnest($1::numeric[]) amount`,
      [expenseTexts],
    );
    for (const [type, list] of [
      ['Cr', crTexts],
      ['Dr', drTexts],
    ] as const) {
      await client.query(
        `insert into bank_accounts (account_number, account_title, bank_name, currency, current_balance, balance_type)
         select $2 || n, 'Account', 'Bank', 'LRD', amount, $2 from unnest($1::numeric[]) with ordinality a (amount, n)`,
        [list, type],
      );
    }
    await client.query(
      `insert into loans (loan_account_number, account_title, bank_name, currency, total_credit, total_debit)
       select n, 'Loan', 'Bank', 'USD', credit, debit
       from unnest($1::numeric[], $2::numeric[]) with ordinality a (credit, debit, n)`,
      [creditTexts, debitTexts],
    );
    await become(client, admin);
    return (await client.query<Cashflow>('select * from cashflow()')).rows;
  });
  expect(rows).toEqual([
    {
      currency: 'LRD',
      inflows: printed(total(cr)),
      outflows: printed(total(dr)),
      net: printed(total(cr) - total(dr)),
      bank_balance: printed(total(cr) - total(dr)),
      loan_balance: '0',
    },
    {
      currency: 'USD',
      inflows: printed(total(credits)),
      outflows: printed(total(debits) + total(expenses)),
      net: printed(total(credits) - total(debits) - total(expenses)),
      bank_balance: '0',
      loan_balance: '0',
    },
  ]);
});

test('the rows behind each cashflow figure add up to it', async () => {
  const differences = await rolledBack(database.owner, async (client) => {
    await client.query(`
      insert into bank_accounts (account_number, account_title, bank_name, currency, current_balance, balance_type)
      values ('1', 'A', 'B', 'USD', 10.10, 'Cr'), ('2', 'A', 'B', 'USD', 3.03, 'Dr'), ('3', 'A', 'B', 'LRD', null, 'Dr');
      insert into loans (loan_account_number, account_title, bank_name, currency, current_balance, total_credit, total_debit)
      values ('1', 'L', 'B', 'USD', 7.07, 0.20, null), ('2', 'L', 'B', 'LRD', 5, 1, 2);
      insert into financial_statements (title, period_start, period_end, total_revenue)
      values ('May', '2026-05-01', '2026-05-31', 0.10);
      insert into expense_reports (title, amount, category, expense_date, report_type)
      values ('Fuel', 0.01, 'transport', '2026-05-03', 'daily')`);
    await become(client, admin);
    const { rows } = await client.query(`
      select c.currency, figure,
        case figure when 'inflows' then inflows when 'outflows' then outflows
          when 'bank_balance' then bank_balance else loan_balance end as stated,
        (select coalesce(sum(e.amount), 0) from cashflow_entries(c.currency, figure) e) as added
      from cashflow() c, unnest(array['inflows', 'outflows', 'bank_balance', 'loan_balance']) figure`);
    expect(rows).toHaveLength(8);
    return rows.filter(({ stated, added }) => Number(stated) !== Number(added));
  });
  expect(differences).toEqual([]);
});

test('expense totals are grouped by month and category', async () => {
  const rows = await rolledBack(database.owner, async (client) => {
    await client.query(`
      insert into expense_reports (title, amount, category, expense_date, report_type)
      values ('Fuel', 0.10, 'transport', '2026-04-30', 'daily'), ('Fuel', 0.20, 'transport', '2026-04-01', 'daily'),
        ('Fuel', 1, 'transport', '2026-05-01', 'daily'), ('Radio', 5, 'equipment', '2026-04-02', 'monthly'),
        ('Old', 9, 'other', '2025-12-31', 'daily')`);
    await become(client, admin);
    const sql =
      "select month::text, category, total from expense_totals('2026-01-01', '2026-12-31')";
    return (await client.query(sql)).rows;
  });
  expect(rows).toEqual([
    { month: '2026-04-01', category: 'equipment', total: '5.00' },
    { month: '2026-04-01', category: 'transport', total: '0.30' },
    { month: '2026-05-01', category: 'transport', total: '1.00' },
  ]);
});

test.each([
  'select * from cashflow()',
  "select * from cashflow_entries('USD', 'outflows')",
  "select * from expense_totals('2026-01-01', '2026-12-31')",
])('nobody but an admin learns anything from %s', async (sql) => {
  const insert = `insert into expense_reports (title, amount, category, expense_date, report_type)
    values ('Fuel', 1, 'transport', '2026-04-30', 'daily')`;
  await rolledBack(database.owner, async (client) => {
    await client.query(insert);
    await become(client, opsManager);
    expect((await client.query(sql)).rows).toEqual([]);
  });
});

describe('a computed figure', () => {
  test('replaces the net amount sent by a client, on insert and on update', async () => {
    const rows = await rolledBack(database.owner, async (client) => {
      await become(client, admin);
      const staff = await client.query<{ id: string }>('select id from staff limit 1');
      const inserted = await client.query<{ id: string; net_amount: string }>(
        `insert into payroll (staff_id, period_start, period_end, base_amount, deductions, bonuses, net_amount)
         values ($1, '2026-01-01', '2026-01-31', 1000.10, 0.30, 0.20, 999999) returning id, net_amount`,
        [staff.rows[0]?.id],
      );
      const updated = await client.query<{ net_amount: string }>(
        'update payroll set deductions = 0.10, net_amount = 5 where id = $1 returning net_amount',
        [inserted.rows[0]?.id],
      );
      return [inserted.rows[0]?.net_amount, updated.rows[0]?.net_amount];
    });
    expect(rows).toEqual(['1000.00', '1000.20']);
  });

  test.each([
    ['1500.25', '499.50', '1000.75'],
    ['10', '20.01', '-10.01'],
    [null, '5', null],
    ['5', null, null],
  ])('net profit of revenue %s and expenses %s is %s', async (revenue, expenses, profit) => {
    const rows = await asPerson<{ net_profit: string | null }>(
      database.owner,
      admin,
      `insert into financial_statements (title, period_start, period_end, total_revenue, total_expenses, net_profit)
       values ('Year', '2026-01-01', '2026-12-31', $1, $2, 123456) returning net_profit`,
      [revenue, expenses],
    );
    expect(rows).toEqual([{ net_profit: profit }]);
  });
});

test.each([
  ['expense_reports', 'amount', 'NaN', '23514'],
  ['expense_reports', 'amount', 'Infinity', '22003'],
  ['expense_reports', 'amount', '0', '23514'],
  ['expense_reports', 'amount', '0.004', '23514'],
  ['expense_reports', 'amount', '1000000000000', '22003'],
  ['financial_statements', 'total_revenue', '-0.01', '23514'],
  ['financial_statements', 'total_expenses', 'NaN', '23514'],
  ['bank_accounts', 'current_balance', 'NaN', '23514'],
  ['payroll', 'bonuses', 'NaN', '23514'],
  ['staff', 'salary_amount', 'NaN', '23514'],
  ['clients', 'monthly_rate', 'NaN', '23514'],
])('%s.%s refuses %s', async (table, column, value, code) => {
  const error = await rolledBack(database.owner, async (client) => {
    await client.query(
      `insert into expense_reports (title, amount, category, expense_date, report_type) values ('Fuel', 1, 'other', '2026-01-01', 'daily');
       insert into financial_statements (title, period_start, period_end) values ('Year', '2026-01-01', '2026-12-31');
       insert into bank_accounts (account_number, account_title, bank_name) values ('1', 'Account', 'Bank')`,
    );
    return attempt(client, () => client.query(`update ${table} set ${column} = $1`, [value]));
  });
  expect(error).toBe(code);
});
