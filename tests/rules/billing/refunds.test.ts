// Money on account goes back to the client: asked for by one person, paid by another, and it may come back.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { addClient, addDraft, type Billing, issueAsIs } from '#tests/support/invoice-story.ts';
import { admin, finance, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

/** An invoice of 100 for which 150 came: 50 are on account. */
const story = (work: (client: PoolClient, receipt: string, billing: Billing) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    const billing = await addClient(client, 'Overpayer');
    await issueAsIs(client, await addDraft(client, billing, [100]));
    await become(client, finance);
    const { rows } = await client.query(
      `select id from record_receipt($1, 'USD', 140, private.company_date() - 1, 'bank', 'R 1', p_withheld => 10)`,
      [billing.client],
    );
    await work(client, String(rows[0]?.id), billing);
    await becomeOwner(client);
    await client.query('set constraints all immediate');
  });

const ask = async (client: PoolClient, receipt: string, amount: number): Promise<string> => {
  const { rows } = await client.query(
    `select id from ask_refund($1, $2, 'bank', 'Paid too much')`,
    [receipt, amount],
  );
  return String(rows[0]?.id);
};

const pay = (client: PoolClient, id: string) =>
  client.query(`select decide_refund($1, true, private.company_date(), 'T 9')`, [id]);

const onAccount = async (client: PoolClient, receipt: string) =>
  (await client.query('select unallocated from receipts where id = $1', [receipt])).rows[0]
    ?.unallocated;

const booked = async (client: PoolClient) => {
  await becomeOwner(client);
  const { rows } = await client.query(
    `select concat_ws(' ', kind, key, amount) as line
     from private.journal_entries(private.company_date() - 1, private.company_date())
     where kind ~ '^refund' and text like 'Overpayer%' order by kind, place`,
  );
  await become(client, admin);
  return rows.map(({ line }) => line);
};

const statement = async (client: PoolClient, billing: Billing) =>
  (
    await client.query(
      `select kind, charge, payment, balance
       from client_statement($1, 'USD', private.company_date() - 5, private.company_date())
       where kind ~ 'refund|closing'`,
      [billing.client],
    )
  ).rows;

describe('a refund', () => {
  test('is off the account once it is asked for, and is paid by another person', () =>
    story(async (client, receipt, billing) => {
      const id = await ask(client, receipt, 30);
      expect(await onAccount(client, receipt)).toBe('20.00');
      expect((await refusal(client, () => pay(client, id))).message).toBe(
        'Someone else must pay it: you asked for this refund.',
      );
      expect(await statement(client, billing)).toMatchObject([
        { kind: 'closing', balance: '-50.00' },
      ]);
      await become(client, admin);
      await pay(client, id);
      expect(await statement(client, billing)).toEqual([
        { kind: 'refund', charge: '30.00', payment: '0', balance: '-20.00' },
        { kind: 'closing', charge: '0', payment: '0', balance: '-20.00' },
      ]);
      expect(await booked(client)).toEqual(['refund receivables 30.00', 'refund bank -30.00']);
    }));

  test('that is declined or comes back is on account again', () =>
    story(async (client, receipt, billing) => {
      const declined = await ask(client, receipt, 50);
      await client.query('select decide_refund($1, false)', [declined]);
      expect(await onAccount(client, receipt)).toBe('50.00');
      const id = await ask(client, receipt, 50);
      await become(client, admin);
      await pay(client, id);
      await client.query(`select return_refund($1, private.company_date(), 'Wrong account')`, [id]);
      expect(await onAccount(client, receipt)).toBe('50.00');
      expect(await booked(client)).toEqual([
        'refund receivables 50.00',
        'refund bank -50.00',
        'refund_return receivables -50.00',
        'refund_return bank 50.00',
      ]);
      expect((await statement(client, billing)).at(-1)).toMatchObject({ balance: '-50.00' });
      expect((await refusal(client, () => pay(client, id))).message).toMatch(/already changed/);
    }));

  test('is never more than the money on account', () =>
    story(async (client, receipt) => {
      const less = 'This receipt has less money on account than this. Reload it.';
      expect((await refusal(client, () => ask(client, receipt, 50.01))).message).toBe(less);
      await ask(client, receipt, 40);
      expect((await refusal(client, () => ask(client, receipt, 10.01))).message).toBe(less);
      expect((await refusal(client, () => ask(client, receipt, 0))).message).toMatch(/whole cents/);
      // What is asked for pays no invoice meanwhile.
      await client.query('select allocate_receipt($1)', [receipt]);
      expect(await onAccount(client, receipt)).toBe('10.00');
    }));

  test('keeps its receipt from being voided, until it is back', () =>
    story(async (client, receipt) => {
      const id = await ask(client, receipt, 20);
      const voiding = () => client.query(`select void_receipt($1, 'Wrong')`, [receipt]);
      expect((await refusal(client, voiding)).message).toMatch(/Take the refund back first/);
      await client.query('select decide_refund($1, false)', [id]);
      await voiding();
    }));

  test('of today is not paid in closed books, and one of closed books can come back', () =>
    story(async (client, receipt) => {
      const id = await ask(client, receipt, 20);
      await become(client, admin);
      await client.query('select decide_refund($1, true, private.company_date() - 1)', [id]);
      await client.query('select close_books(private.company_date() - 1)');
      const other = await ask(client, receipt, 5);
      await become(client, finance);
      const early = () =>
        client.query('select decide_refund($1, true, private.company_date() - 1)', [other]);
      expect((await refusal(client, early)).message).toMatch(/^The books are closed/);
      await client.query(`select return_refund($1, private.company_date(), 'Closed account')`, [
        id,
      ]);
    }));

  test('is for admins and finance', () =>
    story(async (client, receipt) => {
      await become(client, opsManager);
      expect((await refusal(client, () => ask(client, receipt, 1))).message).toBe(
        'Only admins and finance may do this.',
      );
    }));
});

test('a payment that looks like one recorded before is named', () =>
  story(async (client, receipt, billing) => {
    const similar = async (amount: number, daysAgo: number, reference: string | null) =>
      (
        await client.query(
          `select id from similar_receipts($1, 'USD', $2, private.company_date() - $3::int, $4)`,
          [billing.client, amount, daysAgo, reference],
        )
      ).rows.map(({ id }) => id);
    expect(await similar(140, 8, null)).toEqual([receipt]);
    expect(await similar(140, 9, null)).toEqual([]);
    expect(await similar(139, 1, ' r 1 ')).toEqual([receipt]);
    expect(await similar(139, 1, '')).toEqual([]);
    await client.query(`select void_receipt($1, 'Twice')`, [receipt]);
    expect(await similar(140, 1, 'R 1')).toEqual([]);
  }));

test('the limit of small differences is a setting', () =>
  story(async (client) => {
    const limit = async () =>
      (await client.query(`select write_off_limit('USD') as limit`)).rows[0]?.limit;
    expect(await limit()).toBe('5.00');
    await client.query('update billing_settings set write_off_usd = 2.5');
    expect(await limit()).toBe('2.50');
    const wrong = () => client.query('update billing_settings set write_off_usd = 1001');
    expect((await refusal(client, wrong)).code).toBe('23514');
  }));
