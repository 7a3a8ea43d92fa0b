// Nothing dated on or before the closing date of the books is added, changed or voided.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, asOwner, CLOSED, close, EXPENSE, receive, why } from '#tests/support/books.ts';
import { addClient, addDraft, issueAsIs } from '#tests/support/invoice-story.ts';
import { makeRun } from '#tests/support/payment-story.ts';
import { admin, finance } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, call, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

describe('closed days', () => {
  test('take no receipt, so the journal that was exported stays', () =>
    rolledBack(database.owner, async (client) => {
      const billing = await addClient(client, 'Embassy');
      const [old] = await receive(client, billing, '2026-09-15');
      const journal = () => call(client, `journal_lines('2026-09-01', '2026-09-30')`, []);
      const exported = await journal();
      await close(client);
      expect(await why(client, () => receive(client, billing, '2026-09-30'))).toBe(CLOSED);
      await receive(client, billing, '2026-10-01');
      await become(client, finance);
      expect(await journal()).toEqual(exported);
      // Voiding is booked today.
      await as(client, finance, `select void_receipt($1, 'Wrong client')`, [old.id]);
      expect(await journal()).toEqual(exported);
      // Voided on a closed day, by the service.
      const [late] = await receive(client, billing, '2026-10-02');
      const backdate = `update receipts set voided_at = '2026-09-20T12:00Z', void_reason = 'x' where id = $1`;
      expect(await why(client, () => asOwner(client, backdate, [late.id]))).toBe(CLOSED);
    }));

  test('take no invoice or credit note, but invoices of them are paid and credited later', () =>
    rolledBack(database.owner, async (client) => {
      const billing = await addClient(client, 'Embassy');
      const id = await addDraft(client, billing, [50]);
      const issue = `update invoices i set status = 'issued', year = 2026, sequence = 900, issued_on = $2::date,
        due_on = '2026-12-31', bill_to = private.bill_to_of(i.contract_id, i.period_end) where id = $1`;
      await asOwner(client, 'savepoint draft');
      await asOwner(client, issue, [id, '2026-09-20']);
      await close(client);
      await as(client, finance, `select record_receipt($1, 'USD', 50, '2026-10-05', 'bank')`, [
        billing.client,
      ]);
      const state = async () =>
        (await asOwner(client, 'select status from invoices where id = $1', [id]))[0].status;
      expect(await state()).toBe('paid');
      await as(client, finance, `select credit_invoice($1, 'Not delivered')`, [id]);
      expect(await state()).toBe('credited');
      const note = `insert into credit_notes (invoice_id, client_id, year, sequence, reason, currency, amount, tax, issued_on)
        values ($1, $2, 2026, 901, 'Backdated', 'USD', 0, 0, '2026-09-30')`;
      expect(await why(client, () => asOwner(client, note, [id, billing.client]))).toBe(CLOSED);
      await asOwner(client, 'rollback to savepoint draft');
      await close(client);
      expect(await why(client, () => asOwner(client, issue, [id, '2026-09-20']))).toBe(CLOSED);
      await issueAsIs(client, id);
    }));

  test('take no pay run, and no payment of people', () =>
    rolledBack(database.owner, async (client) => {
      const run = await makeRun(client);
      await asOwner(client, 'savepoint approved');
      await close(client);
      const lock = `update pay_runs set status = 'locked', locked_at = now() where id = $1`;
      expect(await why(client, () => asOwner(client, lock, [run]))).toBe(CLOSED);

      await asOwner(client, 'rollback to savepoint approved');
      await asOwner(client, lock, [run]);
      await close(client);
      const pay = `with f as (
          insert into payment_files (pay_run_id, number, channel, currency, content, line_count, control_total, sha256)
          values ($1, 1, 'cash', 'USD', 'x', 1, 143, repeat('a', 64)) returning id
        )
        update payments p set status = 'paid', paid_on = $2, channel = 'cash', blocked = null, line = 1,
          payment_file_id = f.id
        from f where p.pay_run_id = $1 and p.amount = 143`;
      expect(await why(client, () => asOwner(client, pay, [run, '2026-09-30']))).toBe(CLOSED);
      await asOwner(client, pay, [run, '2026-10-05']);
    }));

  test('a run of closed days is voided today', () =>
    rolledBack(database.owner, async (client) => {
      const run = await makeRun(client);
      await asOwner(
        client,
        `update pay_runs set status = 'locked', locked_at = now() where id = $1`,
        [run],
      );
      await close(client);
      const past = `update pay_runs set status = 'void', void_reason = 'x', voided_at = '2026-09-30T12:00Z' where id = $1`;
      expect(await why(client, () => asOwner(client, past, [run]))).toBe(CLOSED);
      await as(client, finance, `select void_pay_run($1, 'Wrong hours')`, [run]);
      expect(
        (await asOwner(client, 'select status from pay_runs where id = $1', [run]))[0].status,
      ).toBe('void');
    }));

  test('take no expense or statement, and keep theirs', () =>
    rolledBack(database.owner, async (client) => {
      const STATEMENT = `insert into financial_statements (title, period_start, period_end) values ($1, '2026-01-01', $2)`;
      await as(client, finance, EXPENSE, ['2026-09-30']);
      await as(client, finance, STATEMENT, ['Nine months', '2026-09-30']);
      await close(client);
      for (const work of [
        () => as(client, finance, EXPENSE, ['2026-09-01']),
        () =>
          as(
            client,
            admin,
            `update expense_reports set amount = 6 where expense_date = '2026-09-30'`,
          ),
        () =>
          as(
            client,
            admin,
            `update expense_reports set expense_date = '2026-10-02' where expense_date = '2026-09-30'`,
          ),
        () =>
          as(
            client,
            admin,
            `update expense_reports set expense_date = '2026-09-02' where expense_date > '2026-09-30'`,
          ),
        () => as(client, finance, `delete from expense_reports where expense_date = '2026-09-30'`),
        () => as(client, finance, STATEMENT, ['August', '2026-08-31']),
        () =>
          as(
            client,
            finance,
            `update financial_statements set total_revenue = 9 where title = 'Nine months'`,
          ),
        () => as(client, finance, `delete from financial_statements where title = 'Nine months'`),
        async () => {
          await becomeOwner(client);
          await client.query('set local role service_role');
          await client.query(`delete from expense_reports where expense_date = '2026-09-30'`);
        },
      ]) {
        expect(await why(client, work)).toBe(CLOSED);
      }
      await as(client, finance, EXPENSE, ['2026-10-01']);
      await as(client, finance, STATEMENT, ['Ten months', '2026-10-31']);
    }));

  test('a site with an expense of closed days, and the account that entered it, can still be deleted', () =>
    rolledBack(database.owner, async (client) => {
      const [site] = await asOwner(
        client,
        `insert into sites (name, client_name, address) values ('Shop', 'Shop', 'A') returning id`,
      );
      await as(client, finance, EXPENSE, ['2026-09-30']);
      await asOwner(
        client,
        `update expense_reports set site_id = $1 where expense_date = '2026-09-30'`,
        [site.id],
      );
      await close(client);
      await asOwner(client, 'delete from sites where id = $1', [site.id]);
      await asOwner(client, 'update expense_reports set created_by = null');
    }));

  test('payroll by hand is earned at the end of its period and paid on its day', () =>
    rolledBack(database.owner, async (client) => {
      const [staff] = await asOwner(
        client,
        `insert into staff (full_name, salary_amount) values ('Zoe', 100) returning id`,
      );
      const ADD = `insert into payroll (staff_id, period_start, period_end, base_amount) values ($1, $2, $3, 100)`;
      await as(client, finance, ADD, [staff.id, '2026-09-01', '2026-09-30']);
      await close(client);
      const pay = `update payroll set payment_status = 'paid', payment_date = $2 where staff_id = $1`;
      for (const work of [
        () => as(client, finance, ADD, [staff.id, '2026-08-01', '2026-08-31']),
        () => as(client, finance, `update payroll set bonuses = 5 where staff_id = $1`, [staff.id]),
        () =>
          as(
            client,
            finance,
            `update payroll set payment_status = 'cancelled' where staff_id = $1`,
            [staff.id],
          ),
        () => as(client, finance, 'delete from payroll where staff_id = $1', [staff.id]),
        () => as(client, finance, pay, [staff.id, '2026-09-30']),
      ]) {
        expect(await why(client, work)).toBe(CLOSED);
      }
      await as(client, finance, pay, [staff.id, '2026-10-05']);
    }));

  test('every table with days that the journal reads refuses them', async () => {
    const { rows } = await database.owner.query<{ name: string }>(`
      select distinct m.name[1] as name
      from unnest(array['journal_entries', 'staff_entries', 'entries_by_hand']) f (name)
      cross join regexp_matches(pg_get_functiondef(('private.' || f.name)::regproc), 'public[.](\\w+)', 'g') m (name)
      -- Payroll has private.keep_closed_payroll; lines and payslips go with their entry and run.
      where m.name[1] not in ('clients', 'chart_of_accounts', 'staff', 'payroll', 'payslips', 'book_entry_lines')
        and not exists (
        select from pg_trigger t
        where t.tgrelid = ('public.' || m.name[1])::regclass and t.tgname = 'y_books_of_new'
          and t.tgfoid = 'private.keep_closed_books'::regproc
      )`);
    expect(rows.map(({ name }) => name)).toEqual([]);
  });
});
