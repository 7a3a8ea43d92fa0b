// What clients owe by age, their statements, mails of invoices, and the journal that an accountant imports.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { addClient, addDraft, type Billing } from '#tests/support/invoice-story.ts';
import { finance, guardHere, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, call, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const story = (work: (client: PoolClient, billing: Billing) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    await work(client, await addClient(client, 'Embassy'));
    await becomeOwner(client);
    await client.query('set constraints all immediate');
  });

/** Runs as a restored backup would, past the rules of documents. */
async function backdate(client: PoolClient, sql: string, values: unknown[]): Promise<void> {
  await becomeOwner(client);
  await client.query('set constraints all immediate');
  await client.query(`set local session_replication_role = 'replica'`);
  await client.query(sql, values);
  await client.query(`set local session_replication_role = 'origin'; set constraints all deferred`);
  await become(client, finance);
}

/** An invoice issued on a day with a term of 14 days, as finance. */
async function issuedOn(
  client: PoolClient,
  billing: Billing,
  day: string,
  lines: Parameters<typeof addDraft>[2],
): Promise<string> {
  const id = await addDraft(client, billing, lines);
  await become(client, finance);
  await client.query('select issue_invoice($1)', [id]);
  await backdate(
    client,
    'update invoices set issued_on = $2::date, due_on = $2::date + 14 where id = $1',
    [id, day],
  );
  return id;
}

async function receive(
  client: PoolClient,
  { client: id }: Billing,
  amount: number,
  day: string,
  method = 'bank',
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select id from record_receipt($1, 'USD', $2, $3, $4, 'Ref 1')`,
    [id, amount, day, method],
  );
  return rows[0]?.id ?? '';
}

describe('ageing', () => {
  test('sorts what is open by days since it was due, and shows what is on account', () =>
    story(async (client, billing) => {
      const today = await call<string>(client, 'private.company_date()::text', []);
      const daysAgo = async (days: number) =>
        call<string>(client, '($1::date - $2::int)::text', [today, days]);
      // Due today, and 1, 30, 31, 60, 61, 90 and 91 days ago.
      for (const [index, late] of [0, 1, 30, 31, 60, 61, 90, 91].entries()) {
        await issuedOn(client, billing, await daysAgo(late + 14), [2 ** index]);
      }
      await client.query(`select record_receipt($1, 'USD', 3, $2, 'cash', p_allocations => '[]')`, [
        billing.client,
        today,
      ]);
      const { rows } = await client.query('select * from invoice_ageing($1)', [billing.client]);
      expect(rows).toEqual([
        {
          client_id: billing.client,
          client_name: 'Embassy',
          currency: 'USD',
          not_due: '1.00',
          days_30: '6.00',
          days_60: '24.00',
          days_90: '96.00',
          over_90: '128.00',
          total: '255.00',
          on_account: '3.00',
        },
      ]);
    }));

  test('is empty for those who may not read invoices', () =>
    story(async (client, billing) => {
      await issuedOn(client, billing, '2026-09-30', [100]);
      await become(client, opsManager);
      expect((await client.query('select from invoice_ageing()')).rowCount).toBe(0);
    }));
});

describe('a statement of account', () => {
  test('goes from the balance before to the balance after', () =>
    story(async (client, billing) => {
      await issuedOn(client, billing, '2026-08-31', [100]);
      const september = await issuedOn(client, billing, '2026-09-30', [80, 20]);
      await receive(client, billing, 70, '2026-09-02');
      const bounced = await receive(client, billing, 30, '2026-10-05');
      await client.query(`select void_receipt($1, 'Bounced')`, [bounced]);
      await backdate(client, `update receipts set voided_at = '2026-10-09 12:00Z' where id = $1`, [
        bounced,
      ]);
      await client.query(`select credit_invoice($1, 'Dog was ill')`, [september]);
      await backdate(
        client,
        `update credit_notes set issued_on = '2026-10-07' where invoice_id = $1`,
        [september],
      );
      const { rows } = await client.query(
        `select day::text, kind, text, charge, payment, balance
         from client_statement($1, 'USD', '2026-09-30', '2026-10-31')`,
        [billing.client],
      );
      expect(rows.map((row) => [row.day, row.kind, row.charge, row.payment, row.balance])).toEqual([
        ['2026-09-30', 'opening', '0', '0', '30.00'],
        ['2026-09-30', 'invoice', '100.00', '0', '130.00'],
        ['2026-10-05', 'receipt', '0', '30.00', '100.00'],
        ['2026-10-07', 'credit_note', '0', '100.00', '0.00'],
        ['2026-10-09', 'void', '30.00', '0', '30.00'],
        ['2026-10-31', 'closing', '0', '0', '30.00'],
      ]);
      expect(rows.map(({ text }) => text)).toEqual([
        '',
        'Sep 1 to Sep 30, 2026',
        'Bank transfer',
        expect.stringMatching(/^INV-.+: Dog was ill$/),
        'Bounced',
        '',
      ]);
    }));

  test('keeps currencies apart', () =>
    story(async (client, billing) => {
      await issuedOn(client, billing, '2026-09-30', [100]);
      const { rows } = await client.query(
        `select kind, balance from client_statement($1, 'LRD', '2026-09-01', '2026-10-31')`,
        [billing.client],
      );
      expect(rows.map(({ balance }) => Number(balance))).toEqual([0, 0]);
    }));
});

describe('mailing invoices', () => {
  test('queues one mail for each issued invoice, to the address of its contract', () =>
    story(async (client, billing) => {
      const draft = await addDraft(client, billing, [100]);
      const id = await issuedOn(client, billing, '2026-09-30', [100]);
      const send = async () =>
        (await client.query('select * from send_invoices($1)', [[draft, id]])).rows;
      expect(await send()).toEqual([
        { id: draft, email: null, refusal: 'Issue this invoice first.' },
        { id, email: 'accounts@client.example', refusal: null },
      ]);
      expect((await send())[1]?.refusal).toBe('This mail is on its way already.');
      await becomeOwner(client);
      await client.query('update invoice_mails set mailed_at = now() where invoice_id = $1', [id]);
      const { rows } = await client.query(
        'select mailed_at = now() as mailed from invoices where id = $1',
        [id],
      );
      expect(rows).toEqual([{ mailed: true }]);
    }));

  test('refuses what is no address', () =>
    story(async (client, billing) => {
      const id = await issuedOn(client, billing, '2026-09-30', [100]);
      const send = () => client.query(`select * from send_invoices($1, 'no address')`, [[id]]);
      expect((await refusal(client, send)).code).toBe('22023');
    }));
});

interface JournalLine {
  day: string;
  kind: string;
  document: string;
  account_code: string;
  debit: string;
  credit: string;
  currency: string;
}

interface JournalPage {
  documents: number;
  lines: number;
  totals: { currency: string; debit: string; credit: string }[];
  unbalanced: string[];
  rows: JournalLine[];
}

/** The lines of a year. Their preview has the same, with and without stored sums of runs. */
async function journal(client: PoolClient): Promise<JournalLine[]> {
  const days = ['2026-01-01', '2026-12-31'];
  const lines = await call<JournalLine[]>(client, 'journal_lines($1, $2)', days);
  await becomeOwner(client);
  for (let run = 0; run < 5; run += 1) await client.query('select private.sum_locked_runs()');
  await become(client, finance);
  const page = (number: number, size: number) =>
    call<JournalPage>(client, 'journal_page($1, $2, $3, $4)', [...days, number, size]);
  const whole = await page(1, 1000);
  expect(whole.rows).toEqual(lines);
  expect(whole.lines).toBe(lines.length);
  expect(whole.unbalanced).toEqual([]);
  const sum = (key: 'debit' | 'credit') =>
    lines.reduce((total, line) => total + Math.round(Number(line[key]) * 100), 0);
  for (const key of ['debit', 'credit'] as const) {
    const total = whole.totals.reduce((all, each) => all + Math.round(Number(each[key]) * 100), 0);
    expect(total).toBe(sum(key));
  }
  const rows: JournalLine[] = [];
  for (let number = 1; number <= whole.documents; number += 1) {
    rows.push(...(await page(number, 1)).rows);
  }
  expect(rows).toEqual(lines);
  return lines;
}

const booked = (lines: JournalLine[], kind: string) =>
  lines
    .filter((line) => line.kind === kind)
    .map(({ day, account_code, debit, credit }) => [
      day,
      account_code,
      Number(debit) - Number(credit),
    ]);

/** A locked run with one payslip of 150 gross, as finance. */
async function lockedRun(client: PoolClient): Promise<string> {
  await becomeOwner(client);
  const run = await call<string>(
    client,
    `(select id from pay_runs order by period_start limit 1)`,
    [],
  );
  const { rows } = await client.query<{ id: string }>(
    `with run as (
       insert into pay_runs (pay_group, currency, period_start, period_end, lrd_per_usd)
       values ('monthly', 'USD', '2026-08-01', '2026-08-31', 200) returning id
     ), slip as (
       insert into payslips (pay_run_id, staff_id, user_id, currency, gross, deductions, net, employer_cost)
       select run.id, s.id, s.user_id, 'USD', 150, 26, 124, 9 from run, staff s where s.user_id = $1 returning id, pay_run_id
     ), lines as (
       insert into payslip_lines (payslip_id, position, kind, label, amount)
       select slip.id, l.* from slip, (values (1, 'salary', 'Salary', 150), (2, 'income_tax', 'Income tax', -10),
         (3, 'nasscorp', 'NASSCORP', -6), (4, 'loan', 'Loan', -7), (5, 'deduction', 'Union', -3)) l
     )
     select pay_run_id as id from slip`,
    [guardHere.id],
  );
  const id = rows[0]?.id ?? '';
  expect(id).not.toBe(run);
  for (const status of ['calculated', 'approved', 'locked']) {
    await client.query(
      `update pay_runs set status = $2, locked_at = case when $2 = 'locked' then now() end where id = $1`,
      [id, status],
    );
  }
  await become(client, finance);
  return id;
}

describe('the journal', () => {
  test('books invoices, credit notes and receipts, and takes a voided receipt back', () =>
    story(async (client, billing) => {
      const id = await issuedOn(client, billing, '2026-09-30', [{ amount: 100, tax: 0.1 }, 20]);
      const receipt = await receive(client, billing, 50, '2026-10-05', 'mobile_money');
      await client.query(`select void_receipt($1, 'Bounced')`, [receipt]);
      await backdate(client, `update receipts set voided_at = '2026-10-09 12:00Z' where id = $1`, [
        receipt,
      ]);
      await client.query(`select credit_invoice($1, 'Wrong')`, [id]);
      await backdate(
        client,
        `update credit_notes set issued_on = '2026-10-07' where invoice_id = $1`,
        [id],
      );
      const lines = await journal(client);
      expect(booked(lines, 'invoice')).toEqual([
        ['2026-09-30', '1100', 130],
        ['2026-09-30', '4000', -120],
        ['2026-09-30', '2120', -10],
      ]);
      expect(booked(lines, 'credit_note')).toEqual([
        ['2026-10-07', '1100', -130],
        ['2026-10-07', '4000', 120],
        ['2026-10-07', '2120', 10],
      ]);
      expect(booked(lines, 'receipt')).toEqual([
        ['2026-10-05', '1020', 50],
        ['2026-10-05', '1100', -50],
      ]);
      expect(booked(lines, 'receipt_void')).toEqual([
        ['2026-10-09', '1020', -50],
        ['2026-10-09', '1100', 50],
      ]);
    }));

  test('books a locked run, and its payment', () =>
    story(async (client) => {
      const run = await lockedRun(client);
      await becomeOwner(client);
      await client.query(
        `with file as (
           insert into payment_files (pay_run_id, number, channel, currency, content, line_count, control_total, sha256)
           values ($1, 1, 'cash', 'USD', '124.00', 1, 124, repeat('0', 64)) returning id
         )
         update payments p set status = 'paid', channel = 'cash', blocked = null, payment_file_id = file.id, line = 1,
           paid_on = '2026-09-03' from file where p.pay_run_id = $1`,
        [run],
      );
      await become(client, finance);
      const lines = await journal(client);
      expect(booked(lines, 'pay_run')).toEqual([
        ['2026-08-31', '5000', 150],
        ['2026-08-31', '5010', 9],
        ['2026-08-31', '2100', -10],
        ['2026-08-31', '2110', -6],
        ['2026-08-31', '1200', -7],
        ['2026-08-31', '2210', -3],
        ['2026-08-31', '2110', -9],
        ['2026-08-31', '2200', -124],
      ]);
      expect(booked(lines, 'payment')).toEqual([
        ['2026-09-03', '2200', 124],
        ['2026-09-03', '1010', -124],
      ]);
    }));

  test('balances every document in each currency', () =>
    story(async (client, billing) => {
      await lockedRun(client);
      await issuedOn(client, billing, '2026-09-30', [{ amount: 33.33, tax: 0.07 }]);
      await issuedOn(client, await addClient(client, 'Shop', 'LRD'), '2026-09-30', [5000]);
      await receive(client, billing, 12.5, '2026-10-05');
      const sums = new Map<string, number>();
      const lines = await journal(client);
      for (const { document, kind, currency, debit, credit } of lines) {
        const key = `${kind} ${document} ${currency}`;
        sums.set(key, (sums.get(key) ?? 0) + Math.round((Number(debit) - Number(credit)) * 100));
      }
      // With an expense, an advance and a paid record of pay of the scene.
      expect(sums.size).toBe(7);
      expect([...sums.values()].every((sum) => sum === 0)).toBe(true);
    }));

  test('uses the codes and names of the company', () =>
    story(async (client, billing) => {
      await issuedOn(client, billing, '2026-09-30', [100]);
      await client.query(`update chart_of_accounts set code = '4100' where key = 'revenue'`);
      const lines = (await journal(client)).filter(({ kind }) => kind === 'invoice');
      expect(lines.map(({ account_code }) => account_code)).toEqual(['1100', '4100']);
      await becomeOwner(client);
      const error = await refusal(client, () => client.query('delete from chart_of_accounts'));
      expect(error.code).toBe('PT409');
    }));

  test('and the margin are for admins and finance, and for at most 400 days', () =>
    story(async (client) => {
      await become(client, opsManager);
      for (const name of ['journal_lines', 'journal_page', 'margin', 'margin_sums']) {
        const ask = (to: string) => () => client.query(`select ${name}('2026-01-01', $1)`, [to]);
        expect((await refusal(client, ask('2026-01-31'))).code).toBe('42501');
        await become(client, finance);
        expect((await refusal(client, ask('2027-06-01'))).code).toBe('22023');
        await become(client, opsManager);
      }
    }));
});
