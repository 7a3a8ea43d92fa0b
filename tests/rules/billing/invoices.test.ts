// Drafts of invoices: sums follow the lines to the cent, and only lines by hand change by hand.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { finance } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, call, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

/** The draft of the scene, which has one line by hand of 25 USD, as finance. */
const draft = (work: (client: PoolClient, id: string) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    const id = await call<string>(client, `(select id from invoices where status = 'draft')`, []);
    await become(client, finance);
    await work(client, id);
  });

const sums = async (client: PoolClient) =>
  (
    await client.query(
      `select subtotal, tax, total, open_amount from invoices where status = 'draft'`,
    )
  ).rows;

describe('a draft', () => {
  test('adds up its lines, with the tax of each rounded to the cent', () =>
    draft(async (client, id) => {
      await client.query(
        `insert into invoice_lines (invoice_id, description, quantity, rate, tax_name, tax_rate)
         values ($1, 'Dog', 3, 0.335, 'GST', 0.1), ($1, 'Discount', -1, 0.05, 'GST', 0.1)`,
        [id],
      );
      // 1.005 and a tax of -0.005: both round away from zero.
      expect(await sums(client)).toEqual([
        { subtotal: '25.96', tax: '0.09', total: '26.05', open_amount: '26.05' },
      ]);
      const { rows } = await client.query(
        'select position from invoice_lines where invoice_id = $1 order by position',
        [id],
      );
      expect(rows).toEqual([{ position: 1 }, { position: 2 }, { position: 3 }]);
      await client.query(
        `delete from invoice_lines where invoice_id = $1 and description <> 'Dog'`,
        [id],
      );
      expect(await sums(client)).toMatchObject([{ total: '1.11' }]);
      await client.query('set constraints all immediate');
    }));

  test('whose sums are changed past its lines is refused at the end of the transaction', () =>
    draft(async (client) => {
      await becomeOwner(client);
      const error = await refusal(client, async () => {
        await client.query(`update invoices set subtotal = subtotal + 0.01 where status = 'draft'`);
        await client.query('set constraints all immediate');
      });
      expect(error.message).toMatch(/differ from its lines/);
    }));

  test('keeps lines from hours and rates as they are, and goes as a whole', () =>
    draft(async (client, id) => {
      await becomeOwner(client);
      await client.query(
        `insert into invoice_lines (invoice_id, kind, description, unit, quantity, rate, amount, minutes)
         values ($1, 'regular', 'Gate', 'h', 8, 3.5, 28, 480)`,
        [id],
      );
      await become(client, finance);
      for (const sql of [
        `update invoice_lines set rate = 4 where kind = 'regular'`,
        `delete from invoice_lines where kind = 'regular'`,
      ]) {
        const error = await refusal(client, () => client.query(sql));
        expect(error.message).toMatch(/^This line comes from hours and rates/);
      }
      await client.query('delete from invoices where id = $1', [id]);
      expect(
        (await client.query('select from invoice_lines where invoice_id = $1', [id])).rowCount,
      ).toBe(0);
    }));
});
