// Quotes reach the enquirer by mail, with the PDF, and the office sees when.
import { randomUUID } from 'node:crypto';
import { smtpServer } from 'supabase-in-node/testing/smtp';
import { expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const smtp = await smtpServer();
const server = await testServer({ SMTP_URL: smtp.url, MAIL_FROM: 'desk@test.example' });

it('a quote is mailed to the enquirer with its PDF', async () => {
  const { client, id: user } = await server.signedUp();
  await server.database.owner.query(
    `insert into user_roles (user_id, role) values ($1, 'ops_manager')`,
    [user],
  );
  const enquiry = randomUUID();
  await server.database.owner.query(
    `insert into contact_messages (id, name, email, message)
     values ($1, 'Garmai Kollie', 'garmai@stores.example', 'Two guards, please.')`,
    [enquiry],
  );
  const id = randomUUID();
  await client
    .rpc('save_quote', {
      p_id: id,
      p_enquiry_id: enquiry,
      p_terms: {
        client_name: 'Red Light Stores',
        contact_name: 'Garmai Kollie',
        site_name: 'Warehouse',
        site_address: 'Red Light',
        currency: 'USD',
        starts_on: '2031-02-01',
        valid_until: '2099-12-31',
        payment_terms_days: 30,
        prices_include_tax: false,
      },
      p_lines: [{ post_name: 'Gate', guards: 1, hours_a_day: 12, days_a_week: 7, rate: 3.5 }],
    })
    .throwOnError();
  const { data: quote } = await client
    .rpc('send_quote', { p_id: id, p_email: 'garmai@stores.example' })
    .throwOnError();

  const mail = await smtp.mails.next();
  expect(mail).toContain(`Subject: Quote ${quote?.number} from`);
  expect(mail).toContain('To: garmai@stores.example');
  expect(mail).toContain('$1,274.00');
  const [, encoded = ''] =
    /filename=QUO-\S+\.pdf\r?\n(?:\S.*\r?\n)*\r?\n([\s\S]+?)\r?\n--/.exec(mail) ?? [];
  const pdf = Buffer.from(encoded, 'base64').toString('latin1');
  expect(pdf).toMatch(/^%PDF-/);
  expect(pdf).toContain(`Quote ${quote?.number}`);
  expect(pdf).toContain('Gate: 1 guard, 12 h a day, 7 days a week');

  const stored = () => client.from('quotes').select('mailed_at').eq('id', id).single();
  await expect.poll(async () => (await stored()).data?.mailed_at).toBeTruthy();
});
