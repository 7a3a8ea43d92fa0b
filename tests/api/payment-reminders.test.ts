// Clients with overdue invoices get a mail with their statement, and the office sees when.
import { smtpServer } from 'supabase-in-node/testing/smtp';
import { expect, it } from 'vitest';
import { addClient, addDraft } from '#tests/support/invoice-story.ts';
import { testServer } from '#tests/support/server.ts';

const smtp = await smtpServer();
const server = await testServer({ SMTP_URL: smtp.url, MAIL_FROM: 'desk@test.example' });

it('what is overdue is mailed to the address of the contract, with the statement and where to pay', async () => {
  const { owner } = server.database;
  const database = await owner.connect();
  const billing = await addClient(database, 'Late mission');
  const invoice = await addDraft(database, billing, [100.5]);
  await database.query(
    `update invoices i set status = 'issued', year = 2026, sequence = private.next_number('invoice', 2026),
       issued_on = private.reminder_date() - 40, due_on = private.reminder_date() - 10,
       bill_to = private.bill_to_of(i.contract_id, i.period_end)
     where i.id = $1`,
    [invoice],
  );
  await database.query(
    `insert into payment_accounts (currency, kind, provider, title, number)
     values ('USD', 'bank', 'Ecobank', 'Statesman', '6101004417')`,
  );
  await database.query(`update billing_settings set reminder_days = '{7}'`);
  database.release();
  const runs = async () => {
    const { rows } = await owner.query<{ runs: number }>(
      `select runs::int from private.jobs where name = 'private.queue_payment_reminders'`,
    );
    return rows[0]?.runs ?? 0;
  };
  await expect.poll(runs).toBeGreaterThan(0);
  await owner.query(
    `update private.jobs set next_at = now() where name = 'private.queue_payment_reminders'`,
  );

  const mail = await smtp.mails.next();
  expect(mail).toContain('To: accounts@client.example');
  expect(mail).toContain('Subject: $100.50 overdue');
  const [, encoded = ''] =
    /filename=statement-usd\.pdf\r?\n(?:\S.*\r?\n)*\r?\n([\s\S]+?)\r?\n--/.exec(mail) ?? [];
  const pdf = Buffer.from(encoded, 'base64').toString('latin1');
  expect(pdf).toMatch(/^%PDF-/);
  expect(pdf).toContain('Statement of account');
  expect(pdf).toContain('6101004417, Statesman');

  const sent = async () => {
    const { rows } = await owner.query(
      `select days_overdue, mailed_at is not null as sent, exists (
         select from private.payment_reminder_queue) as waits
       from payment_reminders where client_id = $1`,
      [billing.client],
    );
    return rows;
  };
  await expect.poll(sent).toEqual([{ days_overdue: 7, sent: true, waits: false }]);
});
