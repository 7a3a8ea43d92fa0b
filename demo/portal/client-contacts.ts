// People of the clients who look at /client: two of the largest client, one each of the next seven.
import { insertAccounts } from '../../server/set-up-accounts.ts';
import { DEMO_CONTACT, DEMO_PASSWORD } from '../accounts.ts';
import { iso } from '../calendar.ts';
import { type Loading, largestClients } from '../clients/business.ts';
import { insertInto, insertRows } from '../insert-rows.ts';
import namesData from '../people/names.json' with { type: 'json' };
import { idOf, Random } from '../random.ts';

const { men: MEN, surnames: SURNAMES, women: WOMEN } = namesData;

const CLIENTS = 8;

export async function insertClientContacts(company: Loading): Promise<void> {
  const { client, business, people, calendar } = company;
  const random = new Random('client contacts');
  const largest = largestClients(business.clients, CLIENTS);
  const others = largest.map((one, index) => {
    const name = `${random.pick(index % 2 === 0 ? WOMEN : MEN)} ${random.pick(SURNAMES)}`;
    const domain = one.name.toLowerCase().replace(/[^a-z]+/g, '-');
    return {
      id: idOf('client contact account', index),
      email: `${name.toLowerCase().replaceAll(' ', '.')}@${domain}.example`,
      fullName: name,
      client: one.id,
    };
  });
  const [first] = largest;
  if (first === undefined) throw new Error('There are no clients.');
  const contacts = [{ ...DEMO_CONTACT, client: first.id }, ...others];
  const createdAt = iso(calendar.at(-40, 10));
  await insertAccounts(
    client,
    contacts.map(({ id, email, fullName }) => ({ id, email, fullName, createdAt })),
    DEMO_PASSWORD,
  );
  await client.query(
    `update auth.users set raw_app_meta_data = raw_app_meta_data || '{"client": true}' where id = any ($1)`,
    [contacts.map(({ id }) => id)],
  );
  await insertInto(
    client,
    'private.client_accounts',
    contacts.map(({ id }) => ({ user_id: id })),
  );
  await insertRows(
    client,
    'client_contacts',
    contacts.map(({ id, email, fullName, client: clientId }, index) => ({
      id: idOf('client contact', index),
      client_id: clientId,
      full_name: fullName,
      email,
      phone: `+23177${random.int(1_000_000, 9_999_999)}`,
      user_id: id,
      access_until: calendar.date(325),
      created_by: people.named('ops').id,
      created_at: createdAt,
    })),
  );
  const site = business.sites.find((one) => one.client === first)?.id ?? null;
  const request = (day: number, body: string, answer: string | null) => ({
    client_id: first.id,
    contact_id: idOf('client contact', 0),
    site_id: site,
    body,
    created_at: iso(calendar.at(day, 9)),
    answer,
    status: answer === null ? 'open' : 'answered',
    answered_by: answer === null ? null : people.named('ops').id,
    answered_at: answer === null ? null : iso(calendar.at(day, 11)),
  });
  const extra = (kind: string, day?: number) => ({
    kind,
    starts_at: day === undefined ? null : iso(calendar.at(day, 14)),
    ends_at: day === undefined ? null : iso(calendar.at(day, 23)),
    headcount: day === undefined ? null : 2,
  });
  const requests = [
    {
      ...request(-9, 'The lamp beside the main gate is out.', 'Our electrician replaced it.'),
      ...extra('message'),
    },
    { ...request(-1, 'A reception with about 80 guests.', null), ...extra('extra_guard', 6) },
  ];
  await insertRows(
    client,
    'client_requests',
    requests.map((row, index) => ({ id: idOf('client request', index), ...row })),
  );
  // All but the two newest reports have been read.
  await client.query(
    `insert into letter_acknowledgements (letter_id, contact_id, contact_name, created_at)
     select l.id, c.id, c.full_name, l.approved_at + interval '3 hours'
     from incident_letters l
     join incidents i on i.id = l.incident_id
     join sites s on s.id = i.site_id
     join client_contacts c on c.client_id = s.client_id
     where c.id = $1 and l.approved_at < now() - interval '4 hours'
     order by l.approved_at desc offset 2`,
    [idOf('client contact', 0)],
  );
}
