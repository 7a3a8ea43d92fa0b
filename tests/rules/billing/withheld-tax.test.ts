// Tax that clients withhold from payments, its certificates, and small differences that are written off.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  addClient,
  addDraft,
  type Billing,
  issueAsIs,
  readInvoice,
} from '#tests/support/invoice-story.ts';
import { finance, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

/** An invoice of 1,000, issued today. */
const story = (work: (client: PoolClient, invoice: string, billing: Billing) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    const billing = await addClient(client, 'Shipping line');
    const invoice = await addDraft(client, billing, [1000]);
    await issueAsIs(client, invoice);
    await become(client, finance);
    await work(client, invoice, billing);
    await client.query('set constraints all immediate');
  });

const receive = async (
  client: PoolClient,
  { client: id }: Billing,
  amount: number,
  withheld: number,
): Promise<string> => {
  const { rows } = await client.query(
    `select id from record_receipt($1, 'USD', $2, private.company_date(), 'bank', 'R 1', p_withheld => $3)`,
    [id, amount, withheld],
  );
  return String(rows[0]?.id);
};

const booked = async (client: PoolClient, kinds: string) => {
  await becomeOwner(client);
  const { rows } = await client.query(
    `select concat_ws(' ', kind, key, amount) as line
     from private.journal_entries(private.company_date(), private.company_date())
     where kind ~ $1 and amount <> 0 and text like 'Shipping%' order by kind, place`,
    [kinds],
  );
  await become(client, finance);
  return rows.map(({ line }) => line);
};

describe('tax that a client withholds', () => {
  test('pays the invoice together with the money, and has an account of its own', () =>
    story(async (client, invoice, billing) => {
      await receive(client, billing, 900, 100);
      expect(await readInvoice(client, invoice)).toMatchObject({
        status: 'paid',
        paid: '1000.00',
        open_amount: '0.00',
      });
      expect(await booked(client, '^receipt')).toEqual([
        'receipt bank 900.00',
        'receipt tax_withheld 100.00',
        'receipt receivables -1000.00',
      ]);
      const { rows } = await client.query(
        `select text, payment from client_statement($1, 'USD', private.company_date(), private.company_date())
         where kind = 'receipt'`,
        [billing.client],
      );
      expect(rows).toEqual([
        { text: 'Bank transfer, tax withheld in it: US$100.00', payment: '1000.00' },
      ]);
    }));

  test('may come alone, for a client who paid less before', () =>
    story(async (client, invoice, billing) => {
      await receive(client, billing, 900, 0);
      expect(await readInvoice(client, invoice)).toMatchObject({ status: 'part_paid' });
      await receive(client, billing, 0, 100);
      expect(await readInvoice(client, invoice)).toMatchObject({ status: 'paid' });
      const { message } = await refusal(client, () => receive(client, billing, 0, 0));
      expect(message).toMatch(/Enter an amount in whole cents/);
    }));

  test('goes back with a void receipt', () =>
    story(async (client, invoice, billing) => {
      const receipt = await receive(client, billing, 900, 100);
      await client.query(`select void_receipt($1, 'Bounced')`, [receipt]);
      expect(await readInvoice(client, invoice)).toMatchObject({
        status: 'issued',
        open_amount: '1000.00',
      });
      expect(await booked(client, '^receipt_void')).toEqual([
        'receipt_void bank -900.00',
        'receipt_void tax_withheld -100.00',
        'receipt_void receivables 1000.00',
      ]);
    }));

  test('waits for its certificate, which can be corrected', () =>
    story(async (client, _, billing) => {
      const receipt = await receive(client, billing, 900, 100);
      const enter = (number: string | null, day = '2026-01-31') =>
        client.query('select set_withholding_certificate($1, $2, $3)', [receipt, number, day]);
      const known = async () =>
        (
          await client.query(
            'select withholding_certificate as number, certificate_on::text as day from receipts where id = $1',
            [receipt],
          )
        ).rows;
      await enter('LRA 9');
      expect(await known()).toEqual([{ number: 'LRA 9', day: '2026-01-31' }]);
      await enter(null);
      expect(await known()).toEqual([{ number: null, day: null }]);
      const later = await refusal(client, () => enter('LRA 9', '2199-01-01'));
      expect(later.message).toMatch(/not in the future/);
      const plain = await receive(client, billing, 5, 0);
      const { message } = await refusal(client, () =>
        client.query(`select set_withholding_certificate($1, 'LRA 9', '2026-01-31')`, [plain]),
      );
      expect(message).toMatch(/No tax was withheld/);
    }));

  test('makes the same receipt once, and another one of the same id is refused', () =>
    story(async (client, _, billing) => {
      const id = crypto.randomUUID();
      const record = (withheld: number) =>
        client.query(
          `select id from record_receipt($1, 'USD', 900, private.company_date(), 'bank', p_id => $2, p_withheld => $3)`,
          [billing.client, id, withheld],
        );
      await record(100);
      await record(100);
      const { message } = await refusal(client, () => record(50));
      expect(message).toMatch(/Another receipt has this id/);
    }));
});

describe('a small difference', () => {
  test('is written off with a reason, has an account, and comes back with its void', () =>
    story(async (client, invoice, billing) => {
      await receive(client, billing, 996.5, 0);
      const { rows } = await client.query(
        `select id, method from write_off_invoice($1, 'Bank charges')`,
        [invoice],
      );
      expect(await readInvoice(client, invoice)).toMatchObject({ status: 'paid' });
      expect(await booked(client, '^receipt')).toContain('receipt written_off 3.50');
      await client.query(`select void_receipt($1, 'The client pays it')`, [rows[0]?.id]);
      expect(await readInvoice(client, invoice)).toMatchObject({
        status: 'part_paid',
        open_amount: '3.50',
      });
    }));

  test('is at most the limit, of an issued invoice, and not for operations', () =>
    story(async (client, invoice, billing) => {
      const writeOff = `select write_off_invoice($1, 'Bank charges')`;
      const large = await refusal(client, () => client.query(writeOff, [invoice]));
      expect(large.message).toMatch(/At most US\$5\.00 can be written off/);
      await receive(client, billing, 998, 0);
      const silent = await refusal(client, () =>
        client.query(`select write_off_invoice($1, ' ')`, [invoice]),
      );
      expect(silent.message).toMatch(/Give a reason/);
      await become(client, opsManager);
      const other = await refusal(client, () => client.query(writeOff, [invoice]));
      expect(other.message).toMatch(/finance/);
      await become(client, finance);
      await client.query(writeOff, [invoice]);
      const again = await refusal(client, () => client.query(writeOff, [invoice]));
      expect(again.message).toMatch(/Nothing is open/);
    }));
});
