// Issued invoices: numbers without gaps, also when two people issue at once or a connection breaks, and nothing changes after.
import pg, { type PoolClient } from 'pg';
import { poolOf, type TestDatabase } from 'supabase-in-node/testing/database';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addClient, addDraft, type Billing, readInvoice } from '#tests/support/invoice-story.ts';
import { admin, finance, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  pool = poolOf(database.connection, 20);
});

/** Connections of the running test. */
const sessions: PoolClient[] = [];

// Closed, whatever they wait for.
afterEach(() => {
  for (const client of sessions.splice(0)) client.release(true);
});

afterAll(() => pool.end());

const year = async (client: PoolClient | pg.Pool): Promise<number> =>
  (await client.query('select extract(year from private.company_date())::int as year')).rows[0]
    .year;

const issue = async (client: PoolClient, id: string): Promise<string> =>
  (await client.query('select number from issue_invoice($1)', [id])).rows[0].number;

const story = (work: (client: PoolClient, billing: Billing) => Promise<void>) =>
  rolledBack(database.owner, async (client) => work(client, await addClient(client, 'Embassy')));

/** Drafts that other connections see. */
async function committedDrafts(count: number): Promise<string[]> {
  const client = await database.owner.connect();
  try {
    await client.query('begin');
    const billing = await addClient(client, crypto.randomUUID());
    const ids: string[] = [];
    for (let index = 0; index < count; index++) ids.push(await addDraft(client, billing, [100]));
    await client.query('commit');
    return ids;
  } finally {
    client.release();
  }
}

const numbers = async (): Promise<number[]> =>
  (
    await database.owner.query<{ sequence: number }>(
      `select sequence from invoices where year = extract(year from private.company_date()) order by sequence`,
    )
  ).rows.map(({ sequence }) => sequence);

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** Begins a transaction as the person and issues in it. */
async function beginIssuing(person = finance): Promise<PoolClient> {
  const client = await pool.connect();
  sessions.push(client);
  await client.query('begin');
  await become(client, person);
  return client;
}

/** Resolves once a session waits for a lock. */
async function someoneWaits(): Promise<void> {
  const waiting = () =>
    database.owner.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  await expect.poll(async () => (await waiting()).rowCount).toBeGreaterThan(0);
}

describe('an issued invoice', () => {
  test('has the next number, its day, its term and its addressee', () =>
    story(async (client, billing) => {
      const id = await addDraft(client, billing, [100.5, { amount: 20, tax: 0.1 }]);
      await become(client, finance);
      const { rows } = await client.query(
        `select number, status, total, open_amount, due_on - issued_on as days, bill_to, issued_by,
           issued_on = private.company_date() as today from issue_invoice($1)`,
        [id],
      );
      const first = (await numbers()).length + 1;
      expect(rows).toEqual([
        {
          number: `INV-${await year(client)}-${String(first).padStart(4, '0')}`,
          status: 'issued',
          total: '122.50',
          open_amount: '122.50',
          days: 14,
          bill_to: { name: 'Embassy', address: 'Mamba Point', email: 'accounts@client.example' },
          issued_by: finance.id,
          today: true,
        },
      ]);
      expect(await issue(client, id)).toBe(rows[0].number);
    }));

  test('of nothing to pay is paid', () =>
    story(async (client, billing) => {
      const id = await addDraft(client, billing, [100, -100]);
      await become(client, finance);
      await issue(client, id);
      expect(await readInvoice(client, id)).toMatchObject({ status: 'paid', open_amount: '0.00' });
    }));

  test.each([
    ['has no lines', []],
    ['is below zero', [10, -10.01]],
    // No hours are behind it.
    ['changed since this draft was made', [{ kind: 'regular', amount: 100 }]],
  ])('is refused with a draft that %s', (reason, lines) =>
    story(async (client, billing) => {
      const id = await addDraft(client, billing, lines);
      await become(client, finance);
      const error = await refusal(client, () => issue(client, id));
      expect([error.code, error.message]).toEqual(['PT409', expect.stringContaining(reason)]);
    }),
  );

  test('is for admins and finance', () =>
    story(async (client, billing) => {
      const id = await addDraft(client, billing, [100]);
      await become(client, opsManager);
      expect((await refusal(client, () => issue(client, id))).code).toBe('42501');
      await become(client, admin);
      expect(await issue(client, id)).toMatch(/^INV-/);
    }));

  test('never changes, not even for the owner of the database', () =>
    story(async (client, billing) => {
      const id = await addDraft(client, billing, [100, { kind: 'other', amount: 5 }]);
      await become(client, finance);
      await issue(client, id);
      await becomeOwner(client);
      for (const sql of [
        `update invoices set note = 'Changed' where id = $1`,
        'update invoices set sequence = sequence + 1 where id = $1',
        `update invoices set status = 'draft', year = null, sequence = null, issued_on = null, due_on = null where id = $1`,
        'update invoices set due_on = due_on + 1 where id = $1',
        'delete from invoices where id = $1',
        `update invoice_lines set description = 'Changed' where invoice_id = $1`,
        'update invoice_lines set credited_at = now() where invoice_id = $1',
        'delete from invoice_lines where invoice_id = $1',
        `insert into invoice_lines (invoice_id, description, rate) values ($1, 'New', 0)`,
      ]) {
        const error = await refusal(client, () => client.query(sql, [id]));
        expect([sql, error.code]).toEqual([sql, 'PT409']);
      }
      await client.query('set constraints all immediate');
      for (const table of ['invoices', 'invoice_lines', 'credit_notes', 'receipts']) {
        const error = await refusal(client, () => client.query(`truncate ${table} cascade`));
        expect([table, error.code]).toEqual([table, 'PT409']);
      }
      // What is derived comes from credit notes and receipts, whatever is written.
      await client.query(
        `update invoices set paid = 50, credited = 50, status = 'paid' where id = $1`,
        [id],
      );
      expect(await readInvoice(client, id)).toMatchObject({
        status: 'issued',
        open_amount: '105.00',
      });
    }));
});

describe('numbers', () => {
  test('of two people who issue at once are consecutive', async () => {
    const [one = '', two = ''] = await committedDrafts(2);
    const before = (await numbers()).length;
    const first = await beginIssuing();
    const second = await beginIssuing(admin);
    const number = await issue(first, one);
    const waiting = issue(second, two);
    await someoneWaits();
    await first.query('commit');
    const next = await waiting;
    await second.query('commit');
    expect([number, next].map((text) => Number(text.slice(-4)))).toEqual([before + 1, before + 2]);
  });

  test('of two people who issue the same invoice at once are one', async () => {
    const [id = ''] = await committedDrafts(1);
    const before = await numbers();
    const first = await beginIssuing();
    const second = await beginIssuing(admin);
    const number = await issue(first, id);
    const waiting = issue(second, id);
    await someoneWaits();
    await first.query('commit');
    expect(await waiting).toBe(number);
    await second.query('commit');
    expect(await numbers()).toHaveLength(before.length + 1);
  });

  test('have no gap after a connection broke while issuing, and no half invoice is left', async () => {
    const [one = '', two = ''] = await committedDrafts(2);
    const before = (await numbers()).length;
    const broken = new pg.Client(database.connection);
    // The server ends the connection, which the driver reports.
    broken.on('error', () => {});
    await broken.connect();
    await broken.query('begin');
    await broken.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
      [JSON.stringify(finance.claims)],
    );
    const { rows } = await broken.query(
      'select number, pg_backend_pid() as pid from issue_invoice($1)',
      [one],
    );
    expect(Number(rows[0].number.slice(-4))).toBe(before + 1);
    await database.owner.query('select pg_terminate_backend($1, 5000)', [rows[0].pid]);

    const next = await beginIssuing();
    expect(Number((await issue(next, two)).slice(-4))).toBe(before + 1);
    await next.query('commit');
    expect(await readInvoice(next, one)).toMatchObject({
      status: 'draft',
      number: null,
      total: '100.00',
    });
    expect(await numbers()).toEqual(upTo(before + 1));
  });

  test('of twenty sessions at once are twenty, without a gap', async () => {
    const ids = await committedDrafts(20);
    await Promise.all(
      ids.map(async (id, index) => {
        const client = await beginIssuing();
        await issue(client, id);
        // Every fourth changes its mind.
        await client.query(index % 4 === 3 ? 'rollback' : 'commit');
      }),
    );
    const issued = await numbers();
    expect(issued).toEqual(upTo(issued.length));
  });

  test('of many drafts issued together follow their order; one that is refused stays a draft', async () => {
    const [one = '', two = '', three = ''] = await committedDrafts(3);
    await database.owner.query('delete from invoice_lines where invoice_id = $1', [two]);
    const before = (await numbers()).length;
    const client = await beginIssuing();
    const { rows } = await client.query('select * from issue_invoices($1)', [[three, two, one]]);
    await client.query('commit');
    const numbered = (count: number) => expect.stringMatching(new RegExp(`-0*${before + count}$`));
    expect(rows).toEqual([
      { id: three, number: numbered(1), refusal: null },
      { id: two, number: null, refusal: 'This invoice has no lines.' },
      { id: one, number: numbered(2), refusal: null },
    ]);
    expect(await numbers()).toEqual(upTo(before + 2));
  });
});

test('a line that is added while the invoice is issued is refused', async () => {
  const [id = ''] = await committedDrafts(1);
  const issuer = await beginIssuing();
  const other = await beginIssuing(admin);
  await issue(issuer, id);
  const adding = other
    .query(
      `insert into invoice_lines (invoice_id, description, rate) values ($1, 'Free of charge', 0)`,
      [id],
    )
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  await someoneWaits();
  await issuer.query('commit');
  expect(await adding).toMatchObject({ code: 'PT409' });
  await other.query('rollback');
});
