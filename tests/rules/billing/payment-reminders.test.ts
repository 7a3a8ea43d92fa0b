// What invoices say about where they are paid to; disputes; reminders of what is overdue.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { addClient, addDraft, type Billing } from '#tests/support/invoice-story.ts';
import { admin, finance } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

/** An invoice of 100 that was due so many days ago. */
async function overdue(client: PoolClient, billing: Billing, days: number): Promise<string> {
  const id = await addDraft(client, billing, [100]);
  await client.query(
    `update invoices i set status = 'issued', year = d.year, sequence = private.next_number('invoice', d.year),
       issued_on = d.due - 14, due_on = d.due, bill_to = private.bill_to_of(i.contract_id, i.period_end)
     from (
       select private.reminder_date() - $2::int as due, extract(year from private.reminder_date())::int as year
     ) d
     where i.id = $1`,
    [id, days],
  );
  return id;
}

const story = (work: (client: PoolClient, billing: Billing) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    await becomeOwner(client);
    await client.query(`update billing_settings set reminder_days = '{7,21}'`);
    await work(client, await addClient(client, 'Late payer'));
  });

/** As the job does it. @returns the steps of the client's reminders, in their order */
async function remind(client: PoolClient, { client: id }: Billing): Promise<number[]> {
  await becomeOwner(client);
  await client.query('select private.queue_payment_reminders()');
  const { rows } = await client.query(
    'select days_overdue from payment_reminders where client_id = $1 order by days_overdue',
    [id],
  );
  return rows.map(({ days_overdue }) => days_overdue);
}

const mailOf = async (client: PoolClient, { client: id }: Billing) => {
  await becomeOwner(client);
  const { rows } = await client.query(
    `select private.reminder_mail(r.id) as mail from payment_reminders r where r.client_id = $1
     order by r.days_overdue desc limit 1`,
    [id],
  );
  return rows[0]?.mail;
};

describe('a reminder', () => {
  test('goes once for each day that is set, with all that is overdue', () =>
    story(async (client, billing) => {
      await overdue(client, billing, 6);
      expect(await remind(client, billing)).toEqual([]);
      await overdue(client, billing, 7);
      expect(await remind(client, billing)).toEqual([7]);
      expect(await remind(client, billing)).toEqual([7]);
      await overdue(client, billing, 30);
      expect(await remind(client, billing)).toEqual([7, 21]);
      const mail = await mailOf(client, billing);
      expect(mail).toMatchObject({
        email: 'accounts@client.example',
        currency: 'USD',
        client: { name: 'Late payer' },
      });
      expect(mail.invoices).toHaveLength(3);
      expect(mail.entries.at(-1)).toMatchObject({ kind: 'closing', balance: '300.00' });
    }));

  test('goes to nobody while no day is set', () =>
    story(async (client, billing) => {
      await client.query(`update billing_settings set reminder_days = '{}'`);
      await overdue(client, billing, 30);
      expect(await remind(client, billing)).toEqual([]);
    }));

  test('goes to no client in dispute, whatever it contests, and again afterwards', () =>
    story(async (client, billing) => {
      const contested = await overdue(client, billing, 8);
      await overdue(client, billing, 9);
      await become(client, finance);
      const { rows } = await client.query(`select id from open_dispute($1, 'Two nights', $2)`, [
        billing.client,
        contested,
      ]);
      expect(await remind(client, billing)).toEqual([]);
      await become(client, admin);
      await client.query(`select end_dispute($1, 'Credited')`, [rows[0]?.id]);
      expect(await remind(client, billing)).toEqual([7]);
    }));

  test('that waits is not sent once the client contests or has paid', () =>
    story(async (client, billing) => {
      await overdue(client, billing, 8);
      await remind(client, billing);
      await become(client, finance);
      await client.query(`select record_receipt($1, 'USD', 100, private.company_date(), 'cash')`, [
        billing.client,
      ]);
      expect(await mailOf(client, billing)).toBeNull();
      await become(client, finance);
      await client.query(`select open_dispute($1, 'All of it')`, [billing.client]);
      await becomeOwner(client);
      const { rows } = await client.query(
        `select from private.payment_reminder_queue q join payment_reminders r on r.id = q.reminder_id
         where r.client_id = $1`,
        [billing.client],
      );
      expect(rows).toEqual([]);
    }));

  test('needs an address', () =>
    story(async (client, billing) => {
      await client.query(`update contracts set bill_to_email = null where id = $1`, [
        billing.contract,
      ]);
      await overdue(client, billing, 8);
      expect(await remind(client, billing)).toEqual([]);
    }));

  test.each(['{0}', '{366}', '{1,2,3,4,5,6,7}', '{null}'])('refuses the days %s', (days) =>
    story(async (client) => {
      await become(client, finance);
      const change = () => client.query('update billing_settings set reminder_days = $1', [days]);
      expect((await refusal(client, change)).code).toBe('23514');
    }),
  );
});

describe('a dispute', () => {
  test('is noted once, and ended once', () =>
    story(async (client, billing) => {
      await become(client, finance);
      const open = () =>
        client.query<{ id: string }>(`select id from open_dispute($1, 'Hours')`, [billing.client]);
      const { rows } = await open();
      expect((await refusal(client, open)).message).toBe('This is in dispute already.');
      const end = () => client.query(`select end_dispute($1, 'Settled')`, [rows[0]?.id]);
      await end();
      expect((await refusal(client, end)).message).toBe('Someone has already ended this dispute.');
      await open();
    }));

  test('is about an issued invoice of its client', () =>
    story(async (client, billing) => {
      const draft = await addDraft(client, billing, [1]);
      await become(client, finance);
      const open = () =>
        client.query(`select open_dispute($1, 'Hours', $2)`, [billing.client, draft]);
      expect((await refusal(client, open)).code).toBe('PT404');
    }));
});

describe('where an invoice is paid to', () => {
  test('is what the company has said for its currency when it was issued', () =>
    story(async (client, billing) => {
      await become(client, finance);
      await client.query(
        `insert into payment_accounts (currency, kind, provider, title, number) values
           ('USD', 'bank', 'Second bank', 'Statesman', '77'), ('LRD', 'bank', 'Other bank', 'Statesman', '88')`,
      );
      await client.query(`update contracts set purchase_order = 'PO 12' where id = $1`, [
        billing.contract,
      ]);
      const first = await addDraft(client, billing, [10]);
      await become(client, finance);
      await client.query('select issue_invoice($1)', [first]);
      await client.query(`update payment_accounts set number = '99' where number = '77'`);
      const { rows } = await client.query(
        'select purchase_order, payment_details(i) as details from invoices i where id = $1',
        [first],
      );
      expect(rows[0].purchase_order).toBe('PO 12');
      const numbers = rows[0].details.accounts.map(({ number }: { number: string }) => number);
      expect(numbers).toContain('77');
      expect(numbers).not.toContain('88');
      const change = () =>
        client.query(`update invoices set purchase_order = 'PO 13' where id = $1`, [first]);
      expect((await refusal(client, change)).message).toMatch(/is issued, so it can't be changed/);
    }));

  test('is told to others when it changes, and has at most four accounts', () =>
    story(async (client) => {
      await become(client, finance);
      const add = (number: number) =>
        client.query(
          `insert into payment_accounts (currency, kind, provider, title, number)
           values ('LRD', 'mobile_money', 'Orange', 'Statesman', $1)`,
          [`07${number}`],
        );
      for (const number of [1, 2, 3, 4]) await add(number);
      expect((await refusal(client, () => add(5))).message).toMatch(/room for 4 accounts/);
      await becomeOwner(client);
      const { rows } = await client.query(
        `select count(*)::int as told from notices where user_id = $1 and title = 'Clients can pay to another account'`,
        [admin.id],
      );
      expect(rows).toEqual([{ told: 4 }]);
    }));
});
