// Returns of VAT: what a month is made of, filing, paying, and taking a step back. Days count from March 1, 2025.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { billingStory, type Caller, type Row } from '#tests/support/billing-story.ts';
import { admin, finance } from '#tests/support/people.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

/** Registered from March 1 on; L$200 for one US$. March is invoiced on April 1: US$1,000 and VAT of US$180. */
const story = (work: (caller: Caller, invoice: string) => Promise<void>) =>
  billingStory(database.owner, async (caller) => {
    const { owner, story, draft, issue } = caller;
    for (const table of ['vat_return_lines', 'vat_returns', 'vat_registrations', 'expense_reports'])
      await owner(`delete from ${table}`);
    await owner(`delete from pay_rates where kind = 'lrd_per_usd'`);
    await owner(
      `insert into pay_rates (kind, effective_from, rate, source) values ('lrd_per_usd', '2025-01-01', 200, 'Central bank')`,
    );
    await owner(
      `insert into tax_rates (name, rate, effective_from) values ('VAT', 0.18, '2025-01-01')`,
    );
    await owner(
      `insert into vat_registrations (number, registered_from) values ('500123456', '2025-03-01')`,
    );
    await owner(`update clients set tin = '100200300' where id = $1`, [story.client]);
    await story.bill('gate', { basis: 'fixed', monthly_amount: 1000 });
    const [drafted] = await draft(1, 31);
    await issue(drafted?.invoice_id, '2025-04-01');
    await work(caller, String(drafted?.invoice_id));
  });

/** Bought from a filling station, with VAT of 18. */
const addExpense = ({ as }: Caller, day: string, columns: Row = {}) => {
  const row = {
    title: 'Diesel',
    amount: 118,
    category: 'transport',
    expense_date: day,
    report_type: 'daily',
    supplier: 'Total Sinkor',
    supplier_tin: '700',
    vat_amount: 18,
    ...columns,
  };
  const names = Object.keys(row);
  return as(
    finance,
    `insert into expense_reports (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
    Object.values(row),
  );
};

const prepare = ({ as }: Caller, month: string) =>
  as(
    finance,
    `select status, output_usd::float, input_usd::float, brought_forward::float, due::float
     from prepare_vat_return($1)`,
    [month],
  );

const file = ({ as }: Caller, month: string, on: string, person = finance) =>
  as(person, 'select status from file_vat_return($1, $2, $3)', [month, on, 'LRA-1']);

const boxes = async ({ as }: Caller, month: string) =>
  (
    await as(
      finance,
      `select concat_ws(' ', l.box, l.kind, l.day, l.party, l.tin, l.currency, l.net, trim_scale(l.rate), l.vat) as line
       from vat_return_lines l join vat_returns r on r.id = l.return_id where r.month = $1 order by l.box, l.day, l.vat`,
      [month],
    )
  ).map(({ line }) => line);

/** Dr and Cr by document and account, of what returns and expenses book. */
const booked = async ({ owner }: Caller) =>
  (
    await owner(
      `select concat_ws(' ', kind, day, document, key, currency, amount) as line
       from private.journal_entries('2025-03-01', '2025-07-31')
       where kind in ('expense', 'vat_return', 'vat_payment') and amount <> 0 order by day, kind, place, currency`,
    )
  ).map(({ line }) => String(line).replace(/EXP \w+/, 'EXP'));

describe('the return of a month', () => {
  test('has the invoices and credit notes of its days, and what was bought', () =>
    story(async (caller, invoice) => {
      const { owner, as } = caller;
      await addExpense(caller, '2025-03-20');
      await addExpense(caller, '2025-04-02', { vat_amount: 0 });
      expect(await prepare(caller, '2025-03-01')).toEqual([
        { status: 'prepared', output_usd: 0, input_usd: 18, brought_forward: 0, due: -3600 },
      ]);
      await file(caller, '2025-03-01', '2025-04-15');
      await as(finance, `select credit_invoice($1, 'Wrong month')`, [invoice]);
      expect(await prepare(caller, '2025-04-01')).toEqual([
        { status: 'prepared', output_usd: 180, input_usd: 0, brought_forward: 3600, due: 32400 },
      ]);
      expect(await boxes(caller, '2025-04-01')).toEqual([
        'standard invoice 2025-04-01 Embassy 100200300 USD 1000.00 0.18 180.00',
      ]);
      // The credit note is of its own month, which is today's.
      const [note] = await owner('select issued_on::text from credit_notes where invoice_id = $1', [
        invoice,
      ]);
      expect(
        (
          await owner(
            `select kind, net::float, vat::float from private.vat_lines_of(date_trunc('month', $1::date)::date)
             where kind = 'credit_note'`,
            [note?.issued_on],
          )
        )[0],
      ).toEqual({ kind: 'credit_note', net: -1000, vat: -180 });
    }));

  test('follows its documents until it is filed, and then keeps what it has', () =>
    story(async (caller) => {
      const { refused, as } = caller;
      await prepare(caller, '2025-03-01');
      const [expense] = await addExpense(caller, '2025-03-20');
      const filing = [
        finance,
        `select file_vat_return('2025-03-01', '2025-04-15', 'LRA-1')`,
      ] as const;
      expect(await refused(...filing)).toMatch(
        /Documents have changed since this return was prepared/,
      );
      await prepare(caller, '2025-03-01');
      await as(...filing);
      const named = /The VAT return of March 2025 names this expense/;
      for (const change of [
        'update expense_reports set amount = 120 where id = $1',
        'update expense_reports set vat_amount = 0 where id = $1',
        'delete from expense_reports where id = $1',
      ])
        expect(await refused(finance, change, [expense?.id])).toMatch(named);
      await as(finance, `update expense_reports set notes = 'For the patrol car' where id = $1`, [
        expense?.id,
      ]);
      expect(await refused(finance, `select prepare_vat_return('2025-03-01')`)).toMatch(
        /This return is filed/,
      );
    }));

  test('has VAT of purchases in Liberian dollars, which stays apart and is in no other sum', () =>
    story(async (caller) => {
      const { as, owner, refused } = caller;
      const LRD = { currency: 'LRD', amount: 2360, vat_amount: 360, paid_from: 'cash' };
      const [expense] = await addExpense(caller, '2025-03-10', LRD);
      await addExpense(caller, '2025-03-11');
      await prepare(caller, '2025-03-01');
      const read = 'select input_usd::float, input_lrd::float, due::float from vat_returns';
      // A credit of 18 dollars at L$200 for one, and L$360.
      expect(await as(finance, read)).toEqual([{ input_usd: 18, input_lrd: 360, due: -3960 }]);
      const DAYS = `'2025-03-01', '2025-03-31'`;
      const lines = `select l ->> 'account_code' as code, (l ->> 'debit')::float as debit, (l ->> 'credit')::float as credit
        from jsonb_array_elements(journal_lines(${DAYS})) l
        where l ->> 'kind' = 'expense' and l ->> 'currency' = 'LRD' order by 1`;
      expect(await as(finance, lines)).toEqual([
        { code: '1010', debit: 0, credit: 2360 },
        { code: '1300', debit: 360, credit: 0 },
        { code: '5140', debit: 2000, credit: 0 },
      ]);
      expect(
        await as(
          finance,
          `select currency, total::float from expense_totals(${DAYS}) order by currency`,
        ),
      ).toEqual([
        { currency: 'LRD', total: 2360 },
        { currency: 'USD', total: 118 },
      ]);
      const flow = `select outflows::float as out from cashflow() where currency = 'LRD'`;
      const [before] = await as(finance, flow);
      expect(
        await as(
          finance,
          `select amount::float from cashflow_entries('LRD', 'outflows') where id = $1`,
          [expense?.id],
        ),
      ).toEqual([{ amount: 2360 }]);
      const moved = `select amount::float from private.bank_movements('cash', $1) where kind = 'expense'`;
      expect(await owner(moved, ['LRD'])).toEqual([{ amount: -2360 }]);
      expect(await owner(moved, ['USD'])).toEqual([]);
      await file(caller, '2025-03-01', '2025-04-15');
      expect(
        await refused(finance, `update expense_reports set currency = 'USD' where id = $1`, [
          expense?.id,
        ]),
      ).toMatch(/names this expense/);
      expect(
        await refused(finance, `update expense_reports set currency = 'EUR' where id = $1`, [
          expense?.id,
        ]),
      ).toMatch(/names this expense|check/);
      expect((await as(finance, flow))[0]?.out).toBe(before?.out);
    }));

  test('has an expense that was entered after the filing of its own month', () =>
    story(async (caller) => {
      await prepare(caller, '2025-03-01');
      await file(caller, '2025-03-01', '2025-04-15');
      await addExpense(caller, '2025-03-20');
      await prepare(caller, '2025-04-01');
      expect(await boxes(caller, '2025-04-01')).toEqual([
        'input expense 2025-03-20 Total Sinkor 700 USD 100.00 18.00',
        'standard invoice 2025-04-01 Embassy 100200300 USD 1000.00 0.18 180.00',
      ]);
    }));

  test('comes after that of the month before', () =>
    story(async (caller) => {
      const { refused } = caller;
      expect(await refused(finance, `select prepare_vat_return('2025-04-01')`)).toMatch(
        /file the return of the month before first/,
      );
      expect(await refused(finance, `select prepare_vat_return('2025-02-01')`)).toMatch(
        /There is no return of VAT for this month/,
      );
      await prepare(caller, '2025-03-01');
      expect(
        await refused(finance, `select file_vat_return('2025-03-01', '2025-03-31', 'LRA-1')`),
      ).toMatch(/The day of filing is after the month/);
    }));
});

describe('a filed return', () => {
  const filedApril = async (caller: Caller) => {
    await addExpense(caller, '2025-04-20');
    await prepare(caller, '2025-03-01');
    await file(caller, '2025-03-01', '2025-04-15');
    await prepare(caller, '2025-04-01');
    await file(caller, '2025-04-01', '2025-05-10');
  };

  test('is paid in either currency, at the rate of its last day', () =>
    story(async (caller) => {
      const { refused, as } = caller;
      await filedApril(caller);
      // US$162 at L$200.
      const pay = (usd: number, lrd: number) =>
        `select pay_vat_return('2025-04-01', '2025-05-12', ${usd}, ${lrd}, 'bank', 'TT 9')`;
      expect(await refused(finance, pay(100, 0))).toMatch(
        /L\$32,400\.00 is due, at 200 LRD for one US\$\. This is L\$12,400\.00 too little/,
      );
      expect(await refused(finance, pay(162, 500))).toMatch(/L\$500\.00 too much/);
      await as(finance, pay(100, 12400));
      expect(
        await as(finance, `select status, due::float from vat_months() where month = '2025-04-01'`),
      ).toEqual([{ status: 'paid', due: 32400 }]);
    }));

  test('moves the input tax to what is owed, and its payment clears that', () =>
    story(async (caller) => {
      await filedApril(caller);
      await caller.as(finance, `select pay_vat_return('2025-04-01', '2025-05-12', 162, 0, 'cash')`);
      expect(await booked(caller)).toEqual([
        'expense 2025-04-20 EXP expense_transport USD 100.00',
        'expense 2025-04-20 EXP vat_input USD 18.00',
        'expense 2025-04-20 EXP bank USD -118.00',
        'vat_return 2025-05-10 VAT 2025-04 tax_payable USD 18.00',
        'vat_return 2025-05-10 VAT 2025-04 vat_input USD -18.00',
        'vat_payment 2025-05-12 VAT 2025-04 tax_payable USD 162.00',
        'vat_payment 2025-05-12 VAT 2025-04 cash USD -162.00',
      ]);
      expect(
        await caller.owner(
          `select key, sum(amount)::float as balance from private.journal_entries('2025-03-01', '2025-07-31')
           where key in ('tax_payable', 'vat_input') group by key order by key`,
        ),
      ).toEqual([
        { key: 'tax_payable', balance: 0 },
        { key: 'vat_input', balance: 0 },
      ]);
    }));

  test('is reopened step by step, by somebody else than who filed it', () =>
    story(async (caller) => {
      const { refused, as } = caller;
      await filedApril(caller);
      await as(finance, `select pay_vat_return('2025-04-01', '2025-05-12', 162, 0, 'bank')`);
      const reopen = `select status from reopen_vat_return('2025-04-01', 'Wrong reference')`;
      expect(await refused(finance, reopen)).toMatch(/Someone else must reopen it: you filed it/);
      expect(
        await refused(admin, `select reopen_vat_return('2025-03-01', 'Wrong reference')`),
      ).toMatch(/A later return is filed/);
      expect(await as(admin, reopen)).toEqual([{ status: 'filed' }]);
      expect(await as(admin, reopen)).toEqual([{ status: 'prepared' }]);
      expect((await booked(caller)).filter((line) => line.startsWith('vat'))).toEqual([]);
    }));

  test('of closed books is neither added nor reopened', () =>
    story(async (caller) => {
      const { refused, as, owner } = caller;
      await filedApril(caller);
      await as(finance, `select close_books('2025-05-31')`);
      const closed = /The books are closed up to/;
      expect(
        await refused(finance, `select pay_vat_return('2025-04-01', '2025-05-12', 162, 0, 'bank')`),
      ).toMatch(closed);
      expect(
        await refused(admin, `select reopen_vat_return('2025-04-01', 'Wrong reference')`),
      ).toMatch(closed);
      expect(await owner(`select from vat_returns where status = 'filed'`)).toHaveLength(2);
    }));
});

test('input tax is claimed on days of a registration alone, and needs its supplier', () =>
  story(async (caller) => {
    const row = `insert into expense_reports (title, amount, category, expense_date, report_type, vat_amount, supplier)`;
    expect(
      await caller.refused(
        finance,
        `${row} values ('Diesel', 118, 'transport', '2025-02-28', 'daily', 18, 'Total')`,
      ),
    ).toMatch(/not registered for VAT on Feb 28, 2025/);
    expect(
      await caller.refused(
        finance,
        `${row} values ('Diesel', 118, 'transport', '2025-03-01', 'daily', 18, null)`,
      ),
    ).toMatch(/expense_reports_vat_has_supplier/);
  }));
