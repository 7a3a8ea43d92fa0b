// Credit notes take lines of issued invoices back, once and whole; receipts pay what is open, and never more.
import type { Pool, PoolClient } from 'pg';
import { poolOf, type TestDatabase } from 'supabase-in-node/testing/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addClient,
  addDraft,
  type Billing,
  issueAsIs,
  linesOf,
  readInvoice,
} from '#tests/support/invoice-story.ts';
import { admin, finance, guardHere, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  pool = poolOf(database.connection, 4);
});

afterAll(() => pool.end());

type Lines = Parameters<typeof addDraft>[2];

/** An issued invoice; finance goes on. */
async function issued(client: PoolClient, billing: Billing, lines: Lines, month?: string) {
  const id = await addDraft(client, billing, lines, month);
  await issueAsIs(client, id);
  await become(client, finance);
  return id;
}

const story = (work: (client: PoolClient, billing: Billing) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    await work(client, await addClient(client, 'Embassy'));
    await becomeOwner(client);
    await client.query('set constraints all immediate');
  });

const credit = async (client: PoolClient, id: string, lines: string[] | null = null) =>
  (
    await client.query(
      `select number, amount, tax, client_id from credit_invoice($1, 'Wrong rate', $2)`,
      [id, lines],
    )
  ).rows[0];

interface Receipt {
  id: string;
  allocated: string;
  unallocated: string;
}

/** @param allocations null: the oldest invoices first */
async function receive(
  client: PoolClient,
  billing: Billing,
  amount: number | string,
  allocations: { invoice_id: string; amount: number | string }[] | null = null,
  id: string | null = null,
  daysAgo = 0,
): Promise<Receipt> {
  const { rows } = await client.query<Receipt>(
    `select r.id, r.allocated, r.unallocated from contracts c, record_receipt(c.client_id, c.currency, $2,
       private.company_date() - $5::int, 'bank', 'Transfer 7', null, null, $3, $4) r where c.id = $1`,
    [billing.contract, amount, allocations && JSON.stringify(allocations), id, daysAgo],
  );
  if (!rows[0]) throw new Error('Nothing was recorded.');
  return rows[0];
}

describe('a credit note', () => {
  test('of the whole invoice has a number of its own, and nothing is left to pay', () =>
    story(async (client, billing) => {
      const id = await issued(client, billing, [100, { amount: 20, tax: 0.1 }]);
      expect(await credit(client, id)).toEqual({
        number: expect.stringMatching(/^CN-\d{4}-0001$/),
        amount: '122.00',
        tax: '2.00',
        client_id: billing.client,
      });
      expect(await readInvoice(client, id)).toMatchObject({
        status: 'credited',
        total: '122.00',
        open_amount: '0.00',
      });
      expect((await refusal(client, () => credit(client, id))).message).toBe(
        'This invoice is credited already.',
      );
    }));

  test('of one line leaves the others, and credits each once', () =>
    story(async (client, billing) => {
      const id = await issued(client, billing, [100, 20]);
      const [, second = ''] = await linesOf(client, id);
      await credit(client, id, [second]);
      expect(await readInvoice(client, id)).toMatchObject({
        status: 'issued',
        open_amount: '100.00',
      });
      expect((await refusal(client, () => credit(client, id, [second]))).code).toBe('PT409');
      expect(await credit(client, id)).toMatchObject({ amount: '100.00' });
      expect(await readInvoice(client, id)).toMatchObject({ status: 'credited' });
    }));

  test('frees the hours and the month of its lines, which a later draft bills again', () =>
    story(async (client, billing) => {
      const id = await addDraft(client, billing, [28]);
      await client.query(
        `insert into billed_time (invoice_line_id, user_id, site_id, span, kind)
         select l.id, $2, (select id from sites limit 1), '[2026-09-01 08:00Z, 2026-09-01 16:00Z)', 'regular'
         from invoice_lines l where l.invoice_id = $1`,
        [id, guardHere.id],
      );
      await issueAsIs(client, id);
      const again = await addDraft(client, billing, [28]);
      const bill = () =>
        client.query(
          `insert into billed_time (invoice_line_id, user_id, site_id, span, kind)
           select l.id, $2, (select id from sites limit 1), '[2026-09-01 15:59Z, 2026-09-01 17:00Z)', 'regular'
           from invoice_lines l where l.invoice_id = $1`,
          [again, guardHere.id],
        );
      expect((await refusal(client, bill)).code).toBe('23P01');
      await become(client, finance);
      await credit(client, id);
      await becomeOwner(client);
      await bill();
    }));

  test('takes a line together with the deduction from it, so that nobody owes less than nothing', () =>
    story(async (client, billing) => {
      const id = await issued(client, billing, [100, { kind: 'gap_credit', amount: -30 }]);
      const [hours = '', gap = ''] = await linesOf(client, id);
      for (const lines of [[hours], [gap]]) {
        expect((await refusal(client, () => credit(client, id, lines))).message).toMatch(
          /Credit these lines together with the deductions/,
        );
      }
      expect(await credit(client, id, [gap, hours])).toMatchObject({ amount: '70.00' });
    }));

  test('of an estimate that a later invoice has settled is refused, until that is credited', () =>
    story(async (client, billing) => {
      const early = await issued(client, billing, [{ kind: 'estimate', amount: 80 }]);
      const [estimate = ''] = await linesOf(client, early);
      const settling = [100, { kind: 'settlement', amount: -80, settles: estimate }];
      const late = await issued(client, billing, settling, '2026-10-01');
      expect((await refusal(client, () => credit(client, early))).message).toMatch(
        /^A later invoice has settled these estimated hours/,
      );
      // Nor is it settled twice.
      const error = await refusal(client, () => addDraft(client, billing, settling, '2026-11-01'));
      expect(error.code).toBe('23505');
      await become(client, finance);
      await credit(client, late);
      expect(await credit(client, early)).toMatchObject({ amount: '80.00' });
    }));

  test('of a paid invoice puts the money on account, latest receipt first', () =>
    story(async (client, billing) => {
      const id = await issued(client, billing, [100, 50]);
      const [, small = ''] = await linesOf(client, id);
      const first = await receive(client, billing, 120, null, null, 1);
      const second = await receive(client, billing, 30);
      expect(await readInvoice(client, id)).toMatchObject({ status: 'paid' });
      await credit(client, id, [small]);
      expect(await readInvoice(client, id)).toMatchObject({
        status: 'paid',
        paid: '100.00',
        credited: '50.00',
        open_amount: '0.00',
      });
      const { rows } = await client.query(
        'select id, unallocated from receipts where client_id = $1 order by amount',
        [billing.client],
      );
      expect(rows).toEqual([
        { id: second.id, unallocated: '30.00' },
        { id: first.id, unallocated: '20.00' },
      ]);
    }));

  test('needs a reason and an issued invoice, and is for admins and finance', () =>
    story(async (client, billing) => {
      const id = await addDraft(client, billing, [100]);
      await become(client, finance);
      expect((await refusal(client, () => credit(client, id))).message).toMatch(/^This is a draft/);
      const error = await refusal(client, () =>
        client.query(`select credit_invoice($1, ' ')`, [id]),
      );
      expect(error.message).toBe('Give a reason of at most 500 characters.');
      await become(client, opsManager);
      expect((await refusal(client, () => credit(client, id))).code).toBe('42501');
    }));

  test('never changes', () =>
    story(async (client, billing) => {
      await credit(client, await issued(client, billing, [100]));
      await becomeOwner(client);
      for (const sql of [
        `update credit_notes set reason = 'Changed'`,
        'update credit_note_lines set amount = 1',
        'delete from credit_note_lines',
      ]) {
        expect((await refusal(client, () => client.query(sql))).code).toBe('PT409');
      }
    }));
});

describe('a receipt', () => {
  test('pays the oldest invoices first, and keeps the rest on account', () =>
    story(async (client, billing) => {
      const old = await issued(client, billing, [100]);
      const young = await issued(client, billing, [50.25], '2026-10-01');
      await receive(client, billing, 120);
      expect(await readInvoice(client, old)).toMatchObject({ status: 'paid', open_amount: '0.00' });
      expect(await readInvoice(client, young)).toMatchObject({
        status: 'part_paid',
        paid: '20.00',
        open_amount: '30.25',
      });
      expect(await receive(client, billing, 40)).toMatchObject({
        allocated: '30.25',
        unallocated: '9.75',
      });
      expect(await readInvoice(client, young)).toMatchObject({ status: 'paid' });
    }));

  test('pays the invoices that are chosen, or none, and can be allocated again', () =>
    story(async (client, billing) => {
      const old = await issued(client, billing, [100]);
      const young = await issued(client, billing, [50], '2026-10-01');
      const { id, unallocated } = await receive(client, billing, 60, [
        { invoice_id: young, amount: 10 },
      ]);
      expect(unallocated).toBe('50.00');
      await client.query('select allocate_receipt($1)', [id]);
      expect(await readInvoice(client, old)).toMatchObject({ paid: '50.00' });
      await client.query('select allocate_receipt($1, $2)', [
        id,
        JSON.stringify([{ invoice_id: young, amount: '50.00' }]),
      ]);
      expect(await readInvoice(client, old)).toMatchObject({ status: 'issued' });
      expect(await readInvoice(client, young)).toMatchObject({ status: 'paid' });
      expect(await receive(client, billing, 7, [])).toMatchObject({ unallocated: '7.00' });
    }));

  test('pays no more than is open, or than it has, and no other client or currency', () =>
    story(async (client, billing) => {
      const id = await issued(client, billing, [100]);
      const other = await issued(client, await addClient(client, 'Bank'), [100]);
      const liberian = await issued(client, await addClient(client, 'Shop', 'LRD'), [100]);
      const tries: [string, number, number][] = [
        [id, 200, 100.01],
        [id, 50, 60],
        [other, 100, 100],
        [liberian, 100, 100],
      ];
      const codes: (string | undefined)[] = [];
      for (const [invoice_id, amount, part] of tries) {
        const error = await refusal(client, () =>
          receive(client, billing, amount, [{ invoice_id, amount: part }]),
        );
        codes.push(error.code);
      }
      expect(codes).toEqual(['PT409', '23514', '23514', '23514']);
    }));

  test('that is sent again after a lost answer is recorded once', () =>
    story(async (client, billing) => {
      const id = await issued(client, billing, [100]);
      const key = crypto.randomUUID();
      const first = await receive(client, billing, 60, null, key);
      expect(await receive(client, billing, 60, null, key)).toEqual(first);
      expect(await readInvoice(client, id)).toMatchObject({ open_amount: '40.00' });
      expect((await refusal(client, () => receive(client, billing, 61, null, key))).code).toBe(
        'PT409',
      );
    }));

  test('that was wrong is voided with a reason, and its invoices are open again', () =>
    story(async (client, billing) => {
      const id = await issued(client, billing, [100]);
      const receipt = await receive(client, billing, 100);
      const { rows } = await client.query(
        `select allocated, void_reason, voided_by from void_receipt($1, 'Bounced')`,
        [receipt.id],
      );
      expect(rows).toEqual([{ allocated: '0.00', void_reason: 'Bounced', voided_by: finance.id }]);
      expect(await readInvoice(client, id)).toMatchObject({
        status: 'issued',
        open_amount: '100.00',
      });
      for (const sql of [`select void_receipt($1, 'Again')`, 'select allocate_receipt($1)']) {
        expect((await refusal(client, () => client.query(sql, [receipt.id]))).code).toBe('PT409');
      }
      await becomeOwner(client);
      for (const sql of ['update receipts set amount = 1', 'delete from receipts']) {
        expect((await refusal(client, () => client.query(sql))).code).toBe('PT409');
      }
    }));

  test.each([
    ['an amount with a part of a cent', '10.001'],
    ['no amount', '0'],
    ['an endless amount', 'Infinity'],
  ])('is not recorded with %s', (_, amount) =>
    story(async (client, billing) => {
      await become(client, finance);
      expect((await refusal(client, () => receive(client, billing, amount))).code).toBe('22023');
    }),
  );
});

test('two receipts at once share what is open, and pay nothing twice', async () => {
  const owner = await pool.connect();
  await owner.query('begin');
  const billing = await addClient(owner, 'Hotel');
  const id = await issued(owner, billing, [100]);
  await owner.query('commit');
  const receipts = await Promise.all(
    [finance, admin].map(async (person) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await become(client, person);
        const receipt = await receive(client, billing, 80);
        await client.query('commit');
        return receipt;
      } finally {
        client.release(true);
      }
    }),
  );
  expect(receipts.map(({ allocated }) => allocated).sort()).toEqual(['20.00', '80.00']);
  expect(await readInvoice(owner, id)).toMatchObject({ status: 'paid', paid: '100.00' });
  owner.release();
});
