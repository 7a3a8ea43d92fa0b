// Credit notes of a part of a line, by quantity and by amount: tax follows, and nothing is credited twice.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  addClient,
  addDraft,
  type Billing,
  issueAsIs,
  linesOf,
  readInvoice,
} from '#tests/support/invoice-story.ts';
import { finance, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

type Draft = Parameters<typeof addDraft>[2];

/** An issued invoice. @param change of its lines before it is issued, as SQL */
const story = (
  lines: Draft,
  work: (client: PoolClient, invoice: string, billing: Billing) => Promise<void>,
  change?: string,
) =>
  rolledBack(database.owner, async (client) => {
    const billing = await addClient(client, 'Bank');
    const invoice = await addDraft(client, billing, lines);
    if (change) await client.query(change, [invoice]);
    await issueAsIs(client, invoice);
    await become(client, finance);
    await work(client, invoice, billing);
    await becomeOwner(client);
    await client.query('set constraints all immediate');
  });

type Part = { line_id: string; quantity?: number | string; amount?: number | string };

const credit = async (client: PoolClient, invoice: string, parts: Part[]) => {
  const { rows } = await client.query(
    `select n.amount, n.tax from credit_invoice_parts($1, 'Too much', $2) n`,
    [invoice, JSON.stringify(parts)],
  );
  return rows[0];
};

const printed = async (client: PoolClient, invoice: string) =>
  (
    await client.query(
      `select c.quantity, c.unit, c.rate, c.amount, c.tax_amount, c.price_with_tax from credit_note_lines c
       join credit_notes n on n.id = c.credit_note_id where n.invoice_id = $1 order by n.sequence`,
      [invoice],
    )
  ).rows;

/** 120.5 hours at 3.3333 are 401.66. */
const BY_HOUR = `update invoice_lines set quantity = 120.5, unit = 'h', rate = 3.3333 where invoice_id = $1`;

test('by quantity: its price, and the rest to the cent', () =>
  story(
    [1],
    async (client, invoice) => {
      const [line = ''] = await linesOf(client, invoice);
      expect(await credit(client, invoice, [{ line_id: line, quantity: 20 }])).toEqual({
        amount: '66.67',
        tax: '0.00',
      });
      expect(await readInvoice(client, invoice)).toMatchObject({
        credited: '66.67',
        status: 'issued',
      });
      // The hours of the line stay billed.
      const { rows } = await client.query(
        'select credited_at is null as is_billed from invoice_lines where id = $1',
        [line],
      );
      expect(rows).toEqual([{ is_billed: true }]);
      expect(await credit(client, invoice, [{ line_id: line, quantity: '100.5' }])).toMatchObject({
        amount: '334.99',
      });
      expect(await printed(client, invoice)).toMatchObject([
        { quantity: '20.0000', unit: 'h', rate: '3.3333', amount: '66.67' },
        { quantity: '100.5000', unit: 'h', rate: '3.3333', amount: '334.99' },
      ]);
      expect(await readInvoice(client, invoice)).toMatchObject({
        status: 'credited',
        open_amount: '0.00',
      });
    },
    BY_HOUR,
  ));

test('by amount: VAT follows, and the rest of it goes with the rest of the line', () =>
  story([{ amount: 100, tax: 0.18 }], async (client, invoice) => {
    const [line = ''] = await linesOf(client, invoice);
    expect(await credit(client, invoice, [{ line_id: line, amount: '33.33' }])).toEqual({
      amount: '39.33',
      tax: '6.00',
    });
    expect(await credit(client, invoice, [{ line_id: line }])).toEqual({
      amount: '78.67',
      tax: '12.00',
    });
    expect(await printed(client, invoice)).toEqual([
      {
        quantity: '1.0000',
        unit: '',
        rate: '33.3300',
        amount: '33.33',
        tax_amount: '6.00',
        price_with_tax: null,
      },
      {
        quantity: '1.0000',
        unit: '',
        rate: '66.6700',
        amount: '66.67',
        tax_amount: '12.00',
        price_with_tax: null,
      },
    ]);
    expect(await readInvoice(client, invoice)).toMatchObject({ status: 'credited' });
  }));

test('of a price that contains the tax: the amount contains it, too', () =>
  story(
    [100],
    async (client, invoice) => {
      const [line = ''] = await linesOf(client, invoice);
      expect(await credit(client, invoice, [{ line_id: line, amount: 59 }])).toEqual({
        amount: '59.00',
        tax: '9.00',
      });
      expect(await printed(client, invoice)).toMatchObject([
        { rate: '59.0000', price_with_tax: '59.00', amount: '50.00' },
      ]);
      expect(await credit(client, invoice, [{ line_id: line }])).toEqual({
        amount: '59.00',
        tax: '9.00',
      });
    },
    // Made by hours otherwise: a line by hand is priced anew.
    `update invoice_lines set kind = 'regular', tax_rate = 0.18, price_with_tax = 118 where invoice_id = $1`,
  ));

test('never more than is left of a line, and of no line twice in a note', () =>
  story([100, 50], async (client, invoice) => {
    const [line = '', other = ''] = await linesOf(client, invoice);
    await credit(client, invoice, [{ line_id: line, amount: 70 }]);
    const refused = async (parts: Part[]) =>
      (await refusal(client, () => credit(client, invoice, parts))).message;
    expect(await refused([{ line_id: line, amount: '30.01' }])).toBe(
      'Credit more than nothing and at most US$30.00 of "Gate".',
    );
    expect(await refused([{ line_id: line, amount: 0 }])).toMatch(/more than nothing/);
    const shape = 'Choose 1 to 10000 lines, each once, with a quantity or an amount.';
    expect(await refused([{ line_id: line, amount: -1 }])).toBe(shape);
    expect(await refused([])).toBe(shape);
    expect(await refused([{ line_id: line }, { line_id: line, amount: 1 }])).toBe(shape);
    expect(await refused([{ line_id: other, amount: 1, quantity: 1 }])).toBe(shape);
    expect(await refused([{ line_id: invoice, amount: 1 }])).toMatch(/^Choose lines/);
    // Whole lines and all lines take what is left.
    const { rows } = await client.query(`select amount from credit_invoice($1, 'All of it')`, [
      invoice,
    ]);
    expect(rows).toEqual([{ amount: '80.00' }]);
    expect(await readInvoice(client, invoice)).toMatchObject({ status: 'credited' });
  }));

test('what was paid of it is on account', () =>
  story([100], async (client, invoice, billing) => {
    const [line = ''] = await linesOf(client, invoice);
    await client.query(`select record_receipt($1, 'USD', 100, private.company_date(), 'cash')`, [
      billing.client,
    ]);
    await credit(client, invoice, [{ line_id: line, amount: 40 }]);
    const { rows } = await client.query('select unallocated from receipts where client_id = $1', [
      billing.client,
    ]);
    expect(rows).toEqual([{ unallocated: '40.00' }]);
    expect(await readInvoice(client, invoice)).toMatchObject({ status: 'paid', paid: '60.00' });
  }));

test('lines that others follow from are credited whole', () =>
  story([{ kind: 'estimate', amount: 100 }, 50], async (client, invoice) => {
    const [line = ''] = await linesOf(client, invoice);
    const { message } = await refusal(client, () =>
      credit(client, invoice, [{ line_id: line, amount: 10 }]),
    );
    expect(message).toBe('Credit the whole line "Gate": other lines follow from it.');
  }));

test('the margin has what is left', () =>
  story([100], async (client, invoice) => {
    const [line = ''] = await linesOf(client, invoice);
    const billed = async () => {
      await becomeOwner(client);
      await client.query('select private.settle_invoices()');
      const { rows } = await client.query(
        `select sum(b.amount) as amount from private.billed_by_invoice(array[$1::uuid]) b`,
        [invoice],
      );
      const stored = await client.query(
        'select count(*)::int as sums from private.billed_sums where invoice_id = $1',
        [invoice],
      );
      await become(client, finance);
      return { amount: Number(rows[0]?.amount), sums: stored.rows[0]?.sums };
    };
    const before = await billed();
    expect(before.amount).toBe(100);
    await credit(client, invoice, [{ line_id: line, amount: 30 }]);
    expect((await billed()).amount).toBe(70);
  }));

test('others may not', () =>
  story([100], async (client, invoice) => {
    const [line = ''] = await linesOf(client, invoice);
    await become(client, opsManager);
    const { message } = await refusal(client, () =>
      credit(client, invoice, [{ line_id: line, amount: 10 }]),
    );
    expect(message).toBe('Only admins and finance may do this.');
  }));
