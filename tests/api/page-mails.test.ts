// A released page of the book is mailed to the client's contacts as a link, and not if it was withdrawn meanwhile.
import { smtpServer } from 'supabase-in-node/testing/smtp';
import { expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const smtp = await smtpServer();
const server = await testServer({ SMTP_URL: smtp.url, MAIL_FROM: 'desk@test.example' });
const { owner } = server.database;

it('a page that is current is mailed with its link alone', async () => {
  const { rows } = await owner.query<{ id: string; site: string }>(
    `with c as (
       insert into clients (name, number_of_guards, monthly_rate, location)
       values ('Embassy', 2, 800, 'Sinkor') returning id
     ), p as (
       insert into client_contacts (client_id, full_name, email)
       select id, 'Mary Cole', 'mary@client.example' from c returning client_id
     )
     insert into sites (name, client_name, address, client_id)
     select 'Gate 1', 'Embassy', 'Sinkor', client_id from p returning client_id as id, id as site`,
  );
  const [{ id, site } = { id: '', site: '' }] = rows;
  // Two versions in one transaction: the first is no longer what the client reads.
  await owner.query(
    `with pages as (
       insert into post_pages (site_id, client_id, day, version, lines, facts, withheld_kinds)
       select $1, $2, '2031-03-01', v, '[{"words":"Truck"}]', '{"site":"Gate 1"}', '{}' from generate_series(1, 2) v
       returning id
     )
     insert into private.page_mails (page_id, contact_id)
     select pages.id, c.id from pages, client_contacts c where c.client_id = $2`,
    [site, id],
  );
  const mail = await smtp.mails.next();
  expect(mail).toContain('To: mary@client.example');
  expect(mail).toContain('Subject: Corrected book of the post: Gate 1');
  expect(mail).toContain('/client/book');
  expect(mail).not.toContain('Truck');
  const queue = () => owner.query('select from private.page_mails');
  await expect.poll(queue).toMatchObject({ rowCount: 0 });
});
