// The monthly report reaches the client by mail, with the PDF, once a month and only if an address is set.
import { smtpServer } from 'supabase-in-node/testing/smtp';
import { expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const smtp = await smtpServer();
const server = await testServer({ SMTP_URL: smtp.url, MAIL_FROM: 'desk@test.example' });
const { owner } = server.database;

it('a queued report is mailed with its PDF', async () => {
  const { rows } = await owner.query<{ id: string }>(
    `insert into clients (name, number_of_guards, monthly_rate, location, report_email)
     values ('Embassy', 2, 800, 'Sinkor', 'security@client.example') returning id`,
  );
  await owner.query(
    `insert into private.client_report_mails (client_id, month, email)
     values ($1, '2021-03-01', 'security@client.example')`,
    [rows[0]?.id],
  );
  const mail = await smtp.mails.next();
  expect(mail).toContain('Subject: Monthly report for March 2021');
  expect(mail).toContain('To: security@client.example');
  const [, encoded = ''] =
    /filename=monthly-report-2021-03\.pdf\r?\n(?:\S.*\r?\n)*\r?\n([\s\S]+?)\r?\n--/.exec(mail) ??
    [];
  const pdf = Buffer.from(encoded, 'base64').toString('latin1');
  expect(pdf).toMatch(/^%PDF-/);
  expect(pdf).toContain('No shift was due in this month.');
  const queue = () => owner.query('select from private.client_report_mails');
  await expect.poll(queue).toMatchObject({ rowCount: 0 });
});
