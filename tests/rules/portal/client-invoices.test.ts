// What a contact sees of the client's invoices: issued ones with their days, and the statement; nothing of others or drafts.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  billingStory,
  type Caller,
  dateOf,
  dayShifts,
  type Row,
} from '#tests/support/billing-story.ts';
import { contactElsewhere, contactHere, finance, guardHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

/** An invoice of March for the client whose contact `contactHere` is, not issued yet. */
const drafted = (work: (caller: Caller, invoice: string) => Promise<void>) =>
  billingStory(database.owner, async (caller) => {
    const { story, owner, draft } = caller;
    await owner(
      `insert into client_contacts (client_id, full_name, email, user_id) values ($1, 'Esther', 'esther@client.example', $2)`,
      [story.client, contactHere.id],
    );
    await story.bill('gate');
    await story.rate(4);
    await dayShifts(caller, [3, 4]);
    // Over midnight, by another guard of the same post.
    await story.work(finance, await story.shift('gate', 4, '18:00-06:00'), '18:00-06:00');
    const [row] = await draft(1, 31);
    await owner(
      `update invoices set problems = '[{"code": "secret", "text": "For the office"}]' where status = 'draft'`,
    );
    await work(caller, String(row?.invoice_id));
  });

const only = (rows: Row[]) => {
  expect(rows).toHaveLength(1);
  return rows[0];
};

test('an invoice shows once it is issued, and to contacts of its client alone', () =>
  drafted(async ({ as, refused, issue, story }, invoice) => {
    const list = `select number, total, open_amount, status from client_invoices() where client_id = $1`;
    expect(await as(contactHere, list, [story.client])).toEqual([]);
    const one = 'select client_invoice($1)';
    expect(await refused(contactHere, one, [invoice])).toBe('There is no such invoice.');
    await issue(invoice, dateOf(32));
    expect(await as(contactHere, list, [story.client])).toEqual([
      { number: 'INV-2025-0001', total: '144.00', open_amount: '144.00', status: 'issued' },
    ]);
    // Neither the table, nor another client's contact, nor a guard.
    expect(await as(contactHere, 'select from invoices')).toEqual([]);
    expect(await as(contactHere, 'select from invoice_lines')).toEqual([]);
    for (const person of [contactElsewhere, guardHere]) {
      expect(await as(person, list, [story.client])).toEqual([]);
      expect(await refused(person, one, [invoice])).toBe('There is no such invoice.');
    }
  }));

test('it has its lines, with days and hours but no names, and nothing that is for the office', () =>
  drafted(async ({ as, refused, issue, owner }, invoice) => {
    await issue(invoice, dateOf(32));
    const { client_invoice: opened } = only(
      await as(contactHere, 'select client_invoice($1)', [invoice]),
    ) as { client_invoice: { lines: { id: string }[] } };
    expect(opened).toMatchObject({
      number: 'INV-2025-0001',
      total: 144,
      bill_to: { name: 'Embassy' },
      lines: [{ site: 'Residence', post: 'gate', quantity: 36, amount: 144, has_days: true }],
      credit_notes: [],
      receipts: [],
    });
    expect(JSON.stringify(opened)).not.toMatch(/office|secret|explanation|problems/);
    const line = opened.lines[0]?.id;
    const days = `select day::text, minutes, guards from client_line_days($1)`;
    expect(await as(contactHere, days, [line])).toEqual([
      { day: dateOf(3), minutes: 720, guards: 1 },
      { day: dateOf(4), minutes: 1080, guards: 2 },
      { day: dateOf(5), minutes: 360, guards: 1 },
    ]);
    expect(await refused(contactElsewhere, days, [line])).toBe('There is no such line.');
    await owner(
      `update client_contacts set revoked_at = now() where email = 'esther@client.example'`,
    );
    expect(await refused(contactHere, days, [line])).toBe('There is no such line.');
    expect(await refused(contactHere, 'select client_invoice($1)', [invoice])).toBe(
      'There is no such invoice.',
    );
  }));

test('a credit note has what its PDF says', () =>
  drafted(async ({ as, issue }, invoice) => {
    await issue(invoice, dateOf(32));
    await as(finance, `select credit_invoice($1, 'The gate was closed')`, [invoice]);
    const { client_invoice: opened } = only(
      await as(contactHere, 'select client_invoice($1)', [invoice]),
    ) as { client_invoice: { lines: Record<string, unknown>[]; credit_notes: unknown } };
    const [line] = opened.lines;
    expect(opened.credit_notes).toEqual([
      {
        number: expect.stringMatching(/^CN-\d{4}-0001$/),
        issued_on: expect.any(String),
        reason: 'The gate was closed',
        amount: 144,
        tax: 0,
        lines: [
          {
            description: line?.description,
            quantity: 36,
            unit: line?.unit,
            rate: 4,
            amount: 144,
            price_with_tax: null,
            tax_name: null,
            tax_rate: null,
            tax_amount: 0,
            vat_treatment: null,
          },
        ],
      },
    ]);
  }));

test('the statement and the balance have credit notes and payments, without the reasons of credit notes', () =>
  drafted(async ({ as, refused, issue, story }, invoice) => {
    await issue(invoice, dateOf(32));
    const receive = `select id from record_receipt($1, 'USD', $2, $3, 'bank', 'T-7', null, 'Told by phone', null)`;
    const first = only(await as(finance, receive, [story.client, 44, dateOf(40)]));
    await as(finance, 'select void_receipt($1, $2)', [first?.id, 'Clerk was wrong']);
    await as(finance, receive, [story.client, 100, dateOf(41)]);
    const account = `select kind, document, text, charge, payment, balance from client_account($1, 'USD', $2, $3)`;
    const rows = await as(contactHere, account, [story.client, dateOf(1), dateOf(60)]);
    expect(rows.map(({ kind, balance }) => `${kind} ${balance}`)).toEqual([
      'opening 0',
      'invoice 144.00',
      'receipt 100.00',
      'receipt 0.00',
      'closing 0.00',
    ]);
    const all = await as(contactHere, account, [story.client, dateOf(1), dateOf(365)]);
    expect(JSON.stringify(all)).not.toMatch(/Clerk|phone/);
    expect(
      only(
        await as(
          contactHere,
          `select currency, open, overdue, on_account, next_due::text from client_balances() where client_id = $1`,
          [story.client],
        ),
      ),
    ).toEqual({
      currency: 'USD',
      open: '44.00',
      overdue: '44.00',
      on_account: '0.00',
      next_due: dateOf(32),
    });
    expect(await refused(contactElsewhere, account, [story.client, dateOf(1), dateOf(60)])).toBe(
      'There is no such client.',
    );
  }));

test('a monthly amount opens to what was worked at the post in that month', () =>
  billingStory(database.owner, async (caller) => {
    const { story, owner, draft, issue, as } = caller;
    await owner(
      `insert into client_contacts (client_id, full_name, email, user_id) values ($1, 'Esther', 'esther@client.example', $2)`,
      [story.client, contactHere.id],
    );
    await story.bill('gate', { basis: 'fixed', monthly_amount: 1000 });
    await dayShifts(caller, [3]);
    await story.work(guardHere, await story.shift('yard', 5, '06:00-18:00'), '06:00-18:00');
    const [row] = await draft(1, 31);
    await issue(row?.invoice_id, dateOf(32));
    expect(
      await as(
        contactHere,
        `select d.day::text, d.minutes, d.guards
         from client_invoices() i
         cross join jsonb_to_recordset(client_invoice(i.id) -> 'lines') l (id uuid, has_days boolean)
         cross join client_line_days(l.id) d
         where i.client_id = $1 and l.has_days`,
        [story.client],
      ),
    ).toEqual([{ day: dateOf(3), minutes: 720, guards: 1 }]);
  }));
