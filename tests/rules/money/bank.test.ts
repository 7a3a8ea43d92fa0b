// Statements of bank accounts: what is imported, what it is matched with, and whether it agrees with the books.
import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, asOwner, close, EXPENSE, why } from '#tests/support/books.ts';
import { addClient, addDraft, issueAsIs } from '#tests/support/invoice-story.ts';
import { admin, finance, guardHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

type Row = {
  day: string;
  amount: number;
  balance?: number;
  description?: string;
  reference?: string;
};

const bank = (work: (client: PoolClient, account: string) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    // Accounts of one currency are compared together.
    await asOwner(client, 'delete from bank_imports; delete from bank_feeds');
    await work(client, await addAccount(client));
  });

async function addAccount(client: PoolClient, number = '77', currency = 'USD'): Promise<string> {
  const [account] = await as(
    client,
    finance,
    `insert into bank_accounts (account_number, account_title, bank_name, currency)
     values ($1, 'Main', 'Ecobank', $2) returning id`,
    [number, currency],
  );
  await as(
    client,
    finance,
    `select save_bank_feed($1, 'bank', 'Date', 'Details', 'day_month_year', p_amount_heading => 'Amount')`,
    [account.id],
  );
  return account.id;
}

async function load(client: PoolClient, account: string, rows: Row[], closing?: number) {
  const [taken] = await as(
    client,
    finance,
    `select * from import_bank_lines($1, 'statement.csv', $2, $3)`,
    [account, JSON.stringify(rows), closing ?? null],
  );
  return taken;
}

const linesOf = async (client: PoolClient, account: string) =>
  await asOwner(
    client,
    `select id, day::text, amount::float, matched_at is not null as matched from bank_lines
       where bank_account_id = $1 order by day, position`,
    [account],
  );

const proposals = async (client: PoolClient, account: string) =>
  (await as(client, finance, 'select bank_proposals($1) as found', [account]))[0].found as {
    line_id: string;
    reason: string;
    sure: boolean;
    documents: { kind: string; id: string }[];
  }[];

const reconcile = async (client: PoolClient, account: string, day = '2026-10-31') =>
  (await as(client, finance, 'select bank_reconciliation($1, $2) as r', [account, day]))[0].r;

const match = (client: PoolClient, line: string, documents: { kind: string; id: string }[]) =>
  as(client, finance, 'select match_bank_line($1, $2)', [line, JSON.stringify(documents)]);

async function addReceipt(
  client: PoolClient,
  day: string,
  amount: number,
  { name = 'Harbour Inn', reference = null as string | null } = {},
) {
  const billing = await addClient(client, name);
  const [receipt] = await as(
    client,
    finance,
    `select id from record_receipt($1, 'USD', $2, $3, 'bank', $4, p_allocations => '[]')`,
    [billing.client, amount, day, reference],
  );
  return receipt.id as string;
}

async function addExpense(client: PoolClient, day: string): Promise<string> {
  const [expense] = await as(client, finance, `${EXPENSE} returning id`, [day]);
  return expense.id;
}

describe('an import', () => {
  const MONTH: Row[] = [
    { day: '2026-10-01', amount: 500, balance: 1500, description: 'Deposit' },
    { day: '2026-10-05', amount: -5, balance: 1495, description: 'Charge' },
    { day: '2026-10-05', amount: -5, balance: 1490, description: 'Charge' },
  ];

  test('takes every line once, also equal ones, and none again', () =>
    bank(async (client, account) => {
      expect(await load(client, account, MONTH)).toMatchObject({
        line_count: 3,
        known_count: 0,
        opening_balance: '1000.00',
        closing_balance: '1490.00',
      });
      expect(await why(client, () => load(client, account, MONTH))).toBe(
        'All lines of this file have been imported before.',
      );
      const overlapping: Row[] = [
        ...MONTH.slice(1),
        { day: '2026-10-05', amount: -5, balance: 1485, description: 'Charge' },
        { day: '2026-10-06', amount: 20, balance: 1505, description: 'Deposit' },
      ];
      expect(await load(client, account, overlapping)).toMatchObject({
        line_count: 2,
        known_count: 2,
      });
      expect(await linesOf(client, account)).toHaveLength(5);
    }));

  test('without balances counts equal lines of a day, and needs the last balance', () =>
    bank(async (client, account) => {
      const rows = MONTH.map(({ balance, ...row }) => row);
      expect(await why(client, () => load(client, account, rows))).toContain(
        'Enter the balance after its last line',
      );
      await load(client, account, rows, 1490);
      const third = { day: '2026-10-05', amount: -5, description: 'Charge' };
      expect(await load(client, account, [...rows, third], 1485)).toMatchObject({
        line_count: 1,
        known_count: 3,
      });
    }));

  test('is refused when its balances do not follow, or a line has no day or amount', () =>
    bank(async (client, account) => {
      const refused = (rows: Row[]) => why(client, () => load(client, account, rows, 0));
      expect(await refused(MONTH.map((row) => ({ ...row, amount: -row.amount })))).toBe(
        'The balance of row 2 does not follow from the row before.',
      );
      expect(await refused([])).toBe('A statement has 1 to 5000 lines.');
      for (const wrong of [
        { day: '2199-01-01', amount: 1 },
        { day: '2026-10-01', amount: 0 },
        { day: '2026-10-01', amount: 0.001 },
      ])
        expect(await refused([wrong])).toContain('Row 1 needs a day');
      expect(
        await why(client, () =>
          as(client, guardHere, `select import_bank_lines($1, 'x', '[]')`, [account]),
        ),
      ).toContain('finance');
    }));

  test('can be undone while nothing of it is matched', () =>
    bank(async (client, account) => {
      const taken = await load(client, account, MONTH);
      const undo = () => as(client, finance, 'select undo_bank_import($1)', [taken.id]);
      const receipt = await addReceipt(client, '2026-10-01', 500);
      const [line] = await linesOf(client, account);
      await match(client, line.id, [{ kind: 'receipt', id: receipt }]);
      expect(await why(client, undo)).toContain('Undo their matches first');
      await as(client, finance, 'select unmatch_bank_line($1)', [line.id]);
      await undo();
      expect(await linesOf(client, account)).toEqual([]);
      expect(await why(client, undo)).toBe('This import no longer exists.');
    }));

  test('shows its balance on the bank account, if the account follows it', () =>
    bank(async (client, account) => {
      const follow = (on: boolean) =>
        as(
          client,
          finance,
          `select save_bank_feed($1, 'bank', 'Date', 'Details', 'day_month_year',
             p_amount_heading => 'Amount', p_follows_balance => $2)`,
          [account, on],
        );
      const shown = async () =>
        (
          await asOwner(
            client,
            'select current_balance::float as balance, balance_type as side from bank_accounts where id = $1',
            [account],
          )
        )[0];
      await load(client, account, MONTH.slice(0, 1));
      expect(await shown()).toEqual({ balance: null, side: 'Dr' });
      await follow(true);
      expect(await shown()).toEqual({ balance: 1500, side: 'Cr' });
      await load(client, account, [{ day: '2026-10-07', amount: -1600.5, balance: -100.5 }]);
      expect(await shown()).toEqual({ balance: 100.5, side: 'Dr' });
    }));

  test('belongs to one record of an account number, in a currency of the books', () =>
    bank(async (client, account) => {
      expect(await why(client, () => addAccount(client, '78', 'EUR'))).toContain(
        'this account has EUR',
      );
      await load(client, account, MONTH);
      expect(
        await why(client, () =>
          as(client, finance, `update bank_accounts set currency = 'LRD' where id = $1`, [account]),
        ),
      ).toContain('its currency can');
      expect(
        await why(client, () =>
          as(client, finance, 'delete from bank_accounts where id = $1', [account]),
        ),
      ).toContain('Statements of this bank account are imported');
    }));
});

describe('a proposal', () => {
  test('is sure when a number is in the text, and says why', () =>
    bank(async (client, account) => {
      const receipt = await addReceipt(client, '2026-10-01', 500, { reference: 'CHQ-00417' });
      await addReceipt(client, '2026-10-02', 500, { name: 'Palm Hotel' });
      await load(client, account, [
        { day: '2026-10-20', amount: 500, balance: 500, description: 'CLEARING CHQ 00417' },
      ]);
      const [found] = await proposals(client, account);
      expect(found).toMatchObject({
        reason: 'same amount, 19 days apart, CHQ-00417 in the text',
        sure: true,
        documents: [{ kind: 'receipt', id: receipt }],
      });
    }));

  test('is not sure when another document fits as well', () =>
    bank(async (client, account) => {
      await addReceipt(client, '2026-10-01', 500);
      await addReceipt(client, '2026-10-02', 500, { name: 'Palm Hotel' });
      await load(client, account, [{ day: '2026-10-02', amount: 500, balance: 500 }]);
      expect(await proposals(client, account)).toMatchObject([
        { reason: 'same amount, same day', sure: false },
      ]);
    }));

  test('names several documents that are the amount together', () =>
    bank(async (client, account) => {
      await addReceipt(client, '2026-10-01', 500, { reference: 'SLIP 8801' });
      await addReceipt(client, '2026-10-03', 70, { name: 'Palm Hotel', reference: 'SLIP 8802' });
      await addExpense(client, '2026-10-09');
      await addExpense(client, '2026-10-09');
      await load(client, account, [
        { day: '2026-10-04', amount: 570, balance: 570, description: 'Slip 8801 and slip 8802' },
        { day: '2026-10-09', amount: -10, balance: 560 },
      ]);
      const found = await proposals(client, account);
      expect(found.map(({ reason, sure }) => [reason, sure]).sort()).toEqual([
        ['SLIP 8801, SLIP 8802 in the text, same amount together', true],
        ['same amount, same day, 2 documents', true],
      ]);
      const [{ count }] = await as(client, finance, 'select match_sure_lines($1) as count', [
        account,
      ]);
      expect(count).toBe(2);
      expect(await linesOf(client, account)).toMatchObject([{ matched: true }, { matched: true }]);
      expect(await proposals(client, account)).toEqual([]);
    }));
});

describe('a match', () => {
  test('is the whole line, and a document is on a statement once', () =>
    bank(async (client, account) => {
      const receipt = await addReceipt(client, '2026-10-01', 500);
      const other = await addReceipt(client, '2026-10-01', 20, { name: 'Palm Hotel' });
      await load(client, account, [
        { day: '2026-10-02', amount: 510, balance: 510 },
        { day: '2026-10-02', amount: 300, balance: 810 },
        { day: '2026-10-03', amount: 200, balance: 1010 },
      ]);
      const [first, second, third] = await linesOf(client, account);
      const one = [{ kind: 'receipt', id: receipt }];
      expect(
        await why(client, () => match(client, first.id, [...one, { kind: 'receipt', id: other }])),
      ).toBe('The documents differ from the line by US$10.00.');
      expect(await why(client, () => match(client, first.id, one))).toContain(
        'differ from the line',
      );
      await match(client, second.id, one);
      await match(client, third.id, one);
      expect(await why(client, () => match(client, second.id, one))).toBe(
        'Someone has already matched this line.',
      );
      expect(await why(client, () => match(client, first.id, one))).toContain(
        'on a statement already',
      );
    }));

  test('by hand has the documents nearest to the line', () =>
    bank(async (client, account) => {
      await addReceipt(client, '2026-10-01', 500);
      const near = await addReceipt(client, '2021-03-02', 20, { name: 'Palm Hotel' });
      const [{ found }] = await as(
        client,
        finance,
        `select open_bank_documents($1, '2021-03-01') as found`,
        [account],
      );
      expect(found.map(({ id }: { id: string }) => id)).toContain(near);
    }));

  test('ends when its document is voided, deleted or changed', () =>
    bank(async (client, account) => {
      const receipt = await addReceipt(client, '2026-10-01', 500);
      const expense = await addExpense(client, '2026-10-02');
      const changed = await addExpense(client, '2026-10-03');
      await load(client, account, [
        { day: '2026-10-01', amount: 500, balance: 500 },
        { day: '2026-10-02', amount: -5, balance: 495 },
        { day: '2026-10-03', amount: -5, balance: 490 },
      ]);
      const [first, second, third] = await linesOf(client, account);
      const matched = async () => (await linesOf(client, account)).map((line) => line.matched);
      await match(client, first.id, [{ kind: 'receipt', id: receipt }]);
      await match(client, second.id, [{ kind: 'expense', id: expense }]);
      await match(client, third.id, [{ kind: 'expense', id: changed }]);
      await as(client, finance, `update expense_reports set title = 'Diesel' where id = $1`, [
        changed,
      ]);
      expect(await matched()).toEqual([true, true, true]);
      await as(client, finance, `select void_receipt($1, 'Bounced')`, [receipt]);
      expect(await matched()).toEqual([false, true, true]);
      await as(client, finance, 'delete from expense_reports where id = $1', [expense]);
      expect(await matched()).toEqual([false, false, true]);
      await as(client, finance, `update expense_reports set paid_from = 'cash' where id = $1`, [
        changed,
      ]);
      expect(await matched()).toEqual([false, false, false]);
    }));

  test('of what no document has is an entry by hand, and voiding it frees the line', () =>
    bank(async (client, account) => {
      await load(client, account, [{ day: '2026-10-05', amount: -5, balance: 95 }]);
      const [line] = await linesOf(client, account);
      const id = randomUUID();
      const book = (day: string | null = null) =>
        as(client, finance, `select * from book_bank_line($1, 'interest', 'Charges', $2, $3)`, [
          line.id,
          day,
          id,
        ]);
      await close(client, finance, '2026-10-31');
      expect(await why(client, () => book())).toContain('The books are closed');
      const [entry] = await book('2026-11-02');
      expect(await book('2026-11-02')).toEqual([entry]);
      expect(await linesOf(client, account)).toMatchObject([{ matched: true }]);
      await as(client, finance, `select void_book_entry($1, 'Wrong account')`, [entry.id]);
      expect(await linesOf(client, account)).toMatchObject([{ matched: false }]);
    }));
});

describe('the balances', () => {
  test('agree, or every part of the difference is named', () =>
    bank(async (client, account) => {
      const before = await addReceipt(client, '2026-09-20', 300);
      const receipt = await addReceipt(client, '2026-10-01', 500, { name: 'Palm Hotel' });
      await addReceipt(client, '2026-10-30', 80, { name: 'Lodge' });
      const later = await addReceipt(client, '2026-11-02', 60, { name: 'School' });
      await load(client, account, [
        { day: '2026-10-01', amount: 500, balance: 1500 },
        { day: '2026-10-02', amount: 300, balance: 1800, description: 'Cheque of September' },
        { day: '2026-10-03', amount: -7, balance: 1793, description: 'Charge' },
        { day: '2026-10-31', amount: 60, balance: 1853 },
      ]);
      const [first, second, , last] = await linesOf(client, account);
      await match(client, first.id, [{ kind: 'receipt', id: receipt }]);
      await match(client, second.id, [{ kind: 'receipt', id: before }]);
      await match(client, last.id, [{ kind: 'receipt', id: later }]);
      const found = await reconcile(client, account);
      const [{ books }] = await as(
        client,
        finance,
        `select sum(closing) as books from account_balances('2026-10-31', '2026-10-31') b
         join chart_of_accounts c on c.id = b.account_id where c.key = 'bank' and b.currency = 'USD'`,
      );
      expect(found).toMatchObject({
        statement: '1853.00',
        books,
        line_total: '-7.00',
        line_count: 1,
      });
      const open: number[] = found.documents.map((each: { amount: string }) => Number(each.amount));
      expect(open).toEqual(expect.arrayContaining([-60, 80]));
      expect(open).not.toContain(300);
      const named = Number(found.before) + Number(found.line_total) - Number(found.document_total);
      expect(named).toBeCloseTo(Number(found.difference), 2);
      expect(found.accounts).toMatchObject([{ missing: '0.00', last_day: '2026-10-31' }]);
      // The receipt of September is a part of what both began with.
      const [{ began }] = await asOwner(
        client,
        `select 1000 + 300 - sum(m.amount) as began from private.bank_movements('bank', 'USD') m
         where m.day < '2026-10-01'`,
      );
      expect(Number(found.before)).toBeCloseTo(Number(began), 2);
    }));

  test('are of the documents that the journal has', () =>
    bank(async (client) => {
      const billing = await addClient(client, 'Embassy');
      await issueAsIs(client, await addDraft(client, billing, [50], '2026-07-01'));
      const receipt = await addReceipt(client, '2026-10-01', 500);
      await addExpense(client, '2026-10-02');
      const [refund] = await as(
        client,
        finance,
        `select id from ask_refund($1, 120, 'bank', 'Paid twice')`,
        [receipt],
      );
      await as(client, admin, `select decide_refund($1, true, '2026-10-03', 'T 9')`, [refund.id]);
      for (const ledger of ['bank', 'mobile_money'])
        for (const currency of ['USD', 'LRD']) {
          const [sums] = await asOwner(
            client,
            `select (select coalesce(sum(amount), 0) from private.bank_movements($1, $2)) as moved,
               (select coalesce(sum(amount), 0) from private.journal_entries('2000-01-01', '2199-12-31')
                 where key = $1 and currency = $2) as booked`,
            [ledger, currency],
          );
          expect([ledger, currency, Number(sums.moved)]).toEqual([
            ledger,
            currency,
            Number(sums.booked),
          ]);
        }
    }));
});
