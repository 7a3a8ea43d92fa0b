// The books: what moves money without invoices and pay runs, and the balances of accounts.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, asOwner, CLOSED, close, EXPENSE, why } from '#tests/support/books.ts';
import { addClient, addDraft, issueAsIs } from '#tests/support/invoice-story.ts';
import { numbers } from '#tests/support/numbers.ts';
import { admin, finance, guardHere, type Person } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

type Line = [account: string, amount: number, currency?: string];

const add = (
  client: PoolClient,
  kind: string,
  day: string,
  lines: Line[],
  more: { id?: string; person?: Person } = {},
) =>
  as(client, more.person ?? finance, 'select * from add_book_entry($1, $2, $3, $4, $5)', [
    kind,
    day,
    'An entry',
    JSON.stringify(
      lines.map(([account, amount, currency = 'USD']) => ({ account, amount, currency })),
    ),
    more.id ?? null,
  ]);

/** What moved each account between the days, debits positive. */
async function moved(client: PoolClient, from: string, to: string) {
  const rows = await as(
    client,
    finance,
    `select c.key, b.currency, b.debit - b.credit as amount from account_balances($1, $2) b
     join chart_of_accounts c on c.id = b.account_id where b.debit <> b.credit order by 2 desc, 1`,
    [from, to],
  );
  return Object.fromEntries(
    rows.map(({ key, currency, amount }) => [
      currency === 'USD' ? key : `${key} ${currency}`,
      amount,
    ]),
  );
}

const person = async (client: PoolClient) =>
  (
    await asOwner(
      client,
      `insert into staff (full_name, salary_amount) values ('Zoe', 100) returning id`,
    )
  )[0].id as string;

const DAY = '2026-09-10';
const IN_MONTH = ['2026-09-01', '2026-09-30'] as const;

describe('an entry by hand', () => {
  test('of opening balances books the rest of each currency to capital', () =>
    rolledBack(database.owner, async (client) => {
      await add(client, 'opening', DAY, [
        ['bank', 1000],
        ['loans_payable', -300.5],
        ['cash', 9000, 'LRD'],
      ]);
      expect(await moved(client, ...IN_MONTH)).toEqual({
        bank: '1000.00',
        loans_payable: '-300.50',
        equity: '-699.50',
        'cash LRD': '9000.00',
        'equity LRD': '-9000.00',
      });
    }));

  test('of money exchanged leaves both currencies balanced', () =>
    rolledBack(database.owner, async (client) => {
      await add(client, 'exchange', DAY, [
        ['bank', -100],
        ['bank', 18_500, 'LRD'],
      ]);
      expect(await moved(client, ...IN_MONTH)).toEqual({
        bank: '-100.00',
        exchange: '100.00',
        'bank LRD': '18500.00',
        'exchange LRD': '-18500.00',
      });
    }));

  test('of another kind must balance in each currency', () =>
    rolledBack(database.owner, async (client) => {
      const refused = (lines: Line[]) => why(client, () => add(client, 'transfer', DAY, lines));
      expect(
        await refused([
          ['bank', -100],
          ['cash', 99.99],
        ]),
      ).toBe('Debits and credits differ by US$0.01.');
      expect(
        await refused([
          ['bank', -100],
          ['cash', 100, 'LRD'],
        ]),
      ).toContain('Debits and credits differ by');
      expect(await refused([])).toBe('An entry has 1 to 200 lines.');
      expect(
        await refused([
          ['bank', -0.001],
          ['cash', 0.001],
        ]),
      ).toBe('Enter an amount in whole cents on each line.');
      expect(
        await refused([
          ['bank', -5],
          ['purse', 5],
        ]),
      ).toContain('book_entry_lines_account_fkey');
      expect(await moved(client, ...IN_MONTH)).toEqual({});
    }));

  test('sent again is the same entry', () =>
    rolledBack(database.owner, async (client) => {
      const id = '00000000-0000-4000-8000-00000000000e';
      const lines: Line[] = [
        ['bank', -40],
        ['cash', 40],
      ];
      await add(client, 'transfer', DAY, lines, { id });
      await add(client, 'transfer', DAY, lines, { id });
      expect(await moved(client, ...IN_MONTH)).toEqual({ bank: '-40.00', cash: '40.00' });
      expect(await why(client, () => add(client, 'transfer', '2026-09-11', lines, { id }))).toBe(
        'Another entry has this id.',
      );
    }));

  test('that is voided is booked back on the day of voiding, once', () =>
    rolledBack(database.owner, async (client) => {
      const [entry] = await add(client, 'loan', DAY, [
        ['bank', 500],
        ['loans_payable', -500],
      ]);
      const spoil = () => as(client, admin, `select void_book_entry($1, 'Wrong loan')`, [entry.id]);
      await spoil();
      expect(await moved(client, ...IN_MONTH)).toMatchObject({ bank: '500.00' });
      expect(await moved(client, '2026-09-01', '2099-12-31')).not.toHaveProperty('loans_payable');
      expect(await why(client, spoil)).toBe('Someone has already voided this entry.');
    }));

  test('is for those who bill, in days that are not closed', () =>
    rolledBack(database.owner, async (client) => {
      const lines: Line[] = [
        ['bank', -40],
        ['cash', 40],
      ];
      expect(
        await why(client, () => add(client, 'transfer', DAY, lines, { person: guardHere })),
      ).toContain('finance');
      const [kept] = await add(client, 'transfer', DAY, lines);
      await close(client);
      expect(await why(client, () => add(client, 'transfer', DAY, lines))).toBe(CLOSED);
      const spoil = `update book_entries set voided_at = '2026-09-20T12:00Z', void_reason = 'x' where id = $1`;
      expect(await why(client, () => asOwner(client, spoil, [kept.id]))).toBe(CLOSED);
    }));
});

const ISSUE = `insert into staff_ledger (staff_id, entry, kind, amount, day, paid_from)
  values ($1, 'issue', $2, $3, $4, $5) returning id`;
const SETTLE = `insert into staff_ledger (staff_id, entry, kind, loan_id, amount, day, paid_from)
  values ($1, $2, 'advance', $3, $4, $5, 'bank')`;

describe('the ledger of staff', () => {
  test('is booked where the money came from and went to', () =>
    rolledBack(database.owner, async (client) => {
      const staff = await person(client);
      const [advance] = await as(client, finance, ISSUE, [staff, 'advance', 50, DAY, 'cash']);
      await as(client, finance, ISSUE, [staff, 'uniform', 30, DAY, 'cash']);
      await as(client, finance, SETTLE, [staff, 'repayment', advance.id, 20, '2026-09-12']);
      await as(client, finance, SETTLE, [staff, 'write_off', advance.id, 5, '2026-09-13']);
      expect(await moved(client, ...IN_MONTH)).toEqual({
        staff_advances: '55.00',
        cash: '-50.00',
        bank: '20.00',
        expense_equipment: '-30.00',
        written_off: '5.00',
      });
    }));

  test('takes nothing of closed days', () =>
    rolledBack(database.owner, async (client) => {
      const staff = await person(client);
      await close(client);
      expect(
        await why(client, () => as(client, finance, ISSUE, [staff, 'advance', 50, DAY, 'cash'])),
      ).toBe(CLOSED);
    }));
});

test('payroll by hand is a cost at the end of its period, and leaves the bank when it is paid', () =>
  rolledBack(database.owner, async (client) => {
    const staff = await person(client);
    await as(
      client,
      finance,
      `insert into payroll (staff_id, period_start, period_end, base_amount, bonuses, deductions)
       values ($1, '2026-09-01', '2026-09-30', 100, 20, 15)`,
      [staff],
    );
    const earned = { wages: '120.00', other_deductions: '-15.00', wages_payable: '-105.00' };
    expect(await moved(client, ...IN_MONTH)).toEqual(earned);
    await as(
      client,
      finance,
      `update payroll set payment_status = 'paid', payment_date = '2026-10-05' where staff_id = $1`,
      [staff],
    );
    expect(await moved(client, ...IN_MONTH)).toEqual(earned);
    expect(await moved(client, '2026-10-05', '2026-10-05')).toEqual({
      bank: '-105.00',
      wages_payable: '105.00',
    });
    await as(
      client,
      finance,
      `update payroll set payment_status = 'cancelled' where staff_id = $1`,
      [staff],
    );
    expect(await moved(client, ...IN_MONTH)).toEqual({});
  }));

/** A hundred facts of every kind on random days of two years. */
async function addFacts(client: PoolClient, seed: number): Promise<void> {
  const next = numbers(seed);
  const dayOf = () => new Date(Date.UTC(2025, 0, 1 + next(600))).toISOString().slice(0, 10);
  const cents = (most = 90_000) => (1 + next(most)) / 100;
  const staff = await person(client);
  const clients = [await addClient(client, 'One'), await addClient(client, 'Two', 'LRD')];
  const currencies = ['USD', 'LRD'];
  const facts = [
    () => as(client, finance, EXPENSE, [dayOf()]),
    () =>
      add(client, 'opening', dayOf(), [
        ['bank', cents()],
        ['receivables', -cents(), 'LRD'],
      ]),
    () =>
      add(client, 'exchange', dayOf(), [
        ['bank', cents()],
        ['cash', -cents(), 'LRD'],
      ]),
    async () => {
      const amount = cents();
      const [entry] = await add(client, 'loan', dayOf(), [
        ['bank', amount],
        ['loans_payable', -amount],
      ]);
      if (next(2) === 0)
        await as(client, finance, `select void_book_entry($1, 'Wrong')`, [entry.id]);
    },
    async () => {
      const amount = cents();
      const kinds = ['advance', 'uniform', 'other'];
      const [issue] = await as(client, finance, ISSUE, [
        staff,
        kinds[next(3)],
        amount,
        dayOf(),
        'mobile_money',
      ]);
      const entry = next(2) === 0 ? 'repayment' : 'write_off';
      await as(client, finance, SETTLE, [staff, entry, issue.id, amount, '2026-10-01']);
    },
    async () => {
      const which = next(2);
      const billing = clients[which];
      if (!billing) return;
      await as(
        client,
        finance,
        `select record_receipt($1, $2, $3, $4, 'cash', p_allocations => '[]', p_withheld => $5)`,
        [billing.client, currencies[which], cents(), dayOf(), cents()],
      );
    },
    async () => {
      const billing = clients[next(2)];
      if (billing) await issueAsIs(client, await addDraft(client, billing, [1 + next(900)]));
    },
  ];
  for (let count = 0; count < 100; count += 1) await facts[next(facts.length)]?.();
}

describe('whatever is booked', () => {
  test.each([3, 71, 4027])(
    'balances by document and currency, and all figures agree (%i)',
    (seed) =>
      rolledBack(database.owner, async (client) => {
        await addFacts(client, seed);
        expect(
          await asOwner(
            client,
            `select j.kind, j.document, j.currency, sum(j.amount) from private.journal_entries('-infinity', 'infinity') j
           group by j.day, j.kind, j.document, j.currency having sum(j.amount) <> 0`,
          ),
        ).toEqual([]);
        // Cut anywhere, balances go on from each other, and each equals the last line of its ledger.
        const wrong = await as(
          client,
          finance,
          `with halves as (
           select b.*, a.closing as before, l.ledger
           from account_balances('2025-08-14', '2099-12-31') b
           left join account_balances('2021-01-01', '2025-08-13') a
             on a.account_id = b.account_id and a.currency = b.currency
           cross join lateral (
             select account_ledger(b.account_id, b.currency, '2025-08-14', '2099-12-31') as ledger) l
         )
         select h.code, h.currency from halves h
         where h.opening <> coalesce(h.before, 0) or h.closing <> h.opening + h.debit - h.credit
           or (h.ledger ->> 'opening')::numeric <> h.opening or (h.ledger ->> 'closing')::numeric <> h.closing
           or jsonb_array_length(h.ledger -> 'rows') <> (h.ledger ->> 'lines')::integer
           or h.ledger -> 'rows' <> '[]' and (h.ledger -> 'rows' -> -1 ->> 'balance')::numeric <> h.closing
         union all
         select 'sum', h.currency from halves h group by h.currency
         having sum(h.closing) <> 0 or sum(h.debit) <> sum(h.credit)`,
        );
        expect(wrong).toEqual([]);
        const [profit] = await as(
          client,
          finance,
          `select (select sum(income - expenses) from profit_by_month('2021-01-01', '2099-12-31')) as months,
           (select -sum(closing) from account_balances('2021-01-01', '2099-12-31')
             where kind in ('income', 'expense')) as balances`,
        );
        expect(profit.months).toBe(profit.balances);
      }),
  );
});

test('a statement is filled in US dollars at the rate of its last day', () =>
  rolledBack(database.owner, async (client) => {
    await add(client, 'other', DAY, [
      ['bank', 1000],
      ['revenue', -1000],
      ['interest', 920, 'LRD'],
      ['bank', -920, 'LRD'],
    ]);
    const [rate] = await asOwner(
      client,
      `select private.pay_rate('lrd_per_usd', '2026-09-30') as rate`,
    );
    const [filled] = await as(client, finance, 'select * from statement_from_books($1, $2)', [
      ...IN_MONTH,
    ]);
    expect(filled).toMatchObject({ total_revenue: '1000.00', has_lrd: true });
    expect(Number(filled.total_expenses)).toBeCloseTo(920 / Number(rate.rate), 2);
  }));

test('what is open of a month is counted until it is done', () =>
  rolledBack(database.owner, async (client) => {
    const open = async () =>
      Object.fromEntries(
        (await as(client, finance, `select * from closing_work('2026-07-15')`)).map(
          ({ item, amount }) => [item, amount],
        ),
      );
    const before = await open();
    const billing = await addClient(client, 'Embassy');
    const draft = await addDraft(client, billing, [50], '2026-07-01');
    const staff = await person(client);
    await as(
      client,
      finance,
      `insert into payroll (staff_id, period_start, period_end, base_amount)
       values ($1, '2026-07-01', '2026-07-31', 100)`,
      [staff],
    );
    expect(await open()).toEqual({
      ...before,
      invoices_draft: before.invoices_draft + 1,
      payroll: before.payroll + 1,
    });
    await issueAsIs(client, draft);
    await as(
      client,
      finance,
      `update payroll set payment_status = 'paid', payment_date = '2026-08-01' where staff_id = $1`,
      [staff],
    );
    expect(await open()).toEqual(before);
    expect(
      await why(client, () => as(client, guardHere, `select * from closing_work('2026-07-15')`)),
    ).toContain('finance');
  }));
