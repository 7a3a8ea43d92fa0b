// The command menu finds every person with a name, plus one more than it shows to know that there are more.
import { randomUUID } from 'node:crypto';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { admin, dispatcher, finance, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

test.each([
  [15, 15],
  [30, 21],
])('of %i people of one name %i are found', async (count, found) => {
  const ids = Array.from({ length: count }, () => randomUUID());
  await rolledBack(database.owner, async (client) => {
    await client.query(
      `insert into auth.users (id, email, raw_user_meta_data)
       select id, id || '@example.com', '{"full_name": "Mercy Dolo"}' from unnest($1::uuid[]) id`,
      [ids],
    );
    await become(client, dispatcher);
    const { rows } = await client.query<{ id: string }>(
      `select id from find_records('mercy dolo') where kind = 'guard'`,
    );
    expect(rows).toHaveLength(found);
    expect(ids).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
  });
});

test.each([
  ['jose', 'José Álvarez'],
  ['OBRIEN', "Sean O'Brien"],
  ['lodz', 'Łódź Kamara'],
  ['+231 77 011 1001', 'Musu Flomo'],
  ['0770111001', 'Musu Flomo'],
])('%j finds %s', async (search, name) => {
  await rolledBack(database.owner, async (client) => {
    await client.query(
      `insert into auth.users (id, email, phone, raw_user_meta_data)
       values (gen_random_uuid(), gen_random_uuid() || '@example.com',
         case when $1 = 'Musu Flomo' then '231770111001' end, jsonb_build_object('full_name', $1::text))`,
      [name],
    );
    await become(client, dispatcher);
    const { rows } = await client.query('select title from find_records($1)', [search]);
    expect(rows).toEqual([{ title: name }]);
  });
});

test('a shift is found by its site, client and notes, in any writing', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(
      `with site as (
         insert into sites (name, client_name, address) values ('Café Royal', 'O’Brien & Sons', 'Hidden road') returning id
       )
       insert into shifts (site_id, start_time, end_time, notes)
       select id, now() + interval '1 day', now() + interval '32 hours', 'Léon brings keys' from site`,
    );
    await become(client, dispatcher);
    for (const [search, found] of [
      ['cafe obrien', 1],
      ['CAFÉ leon', 1],
      ['cafe hidden', 0],
      ["'", 0],
    ] as const) {
      const { rows } = await client.query(`select id from find_records($1) where kind = 'shift'`, [
        search,
      ]);
      expect(rows, search).toHaveLength(found);
    }
  });
});

test('an invoice is found by its number, by those who bill', async () => {
  await rolledBack(database.owner, async (client) => {
    const { rows: invoices } = await client.query<{ id: string; number: string }>(
      'select id, number from invoices where number is not null limit 1',
    );
    const [invoice] = invoices;
    const find = async (text: string) =>
      (await client.query(`select id from find_records($1) where kind = 'invoice'`, [text])).rows;
    await become(client, finance);
    expect(await find(invoice?.number.toLowerCase() ?? '')).toEqual([{ id: invoice?.id }]);
    expect(await find('INV-9999')).toEqual([]);
    await become(client, opsManager);
    expect(await find(invoice?.number ?? '')).toEqual([]);
  });
});

test('contracts, enquiries, quotes, posts, orders, incidents and contacts are found by those who read them', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(
      `with place as (
         insert into sites (name, client_name, address) values ('Zorzor Depot', 'Zorzor Ltd', 'Road') returning id
       ), firm as (
         insert into clients (name, number_of_guards, monthly_rate, location)
         values ('Zorzor Ltd', 1, 100, 'Road') returning id
       ), contact as (
         insert into client_contacts (client_id, full_name, email, phone)
         select id, 'Zorzor Contact', 'contact@zorzor.example', '+231770998877' from firm
       ), contract as (
         insert into contracts (client_id, title, starts_on) select id, 'Depot', '2031-01-01' from firm
       ), post as (
         insert into posts (site_id, name) select id, 'Zorzor Gate' from place returning id, site_id
       ), orders as (
         insert into post_orders (site_id, post_id, title, body) select site_id, id, 'Zorzor keys', 'Keep them.' from post
       ), incident as (
         insert into incidents (site_id, title, category, severity, description)
         select id, 'Zorzor fence cut', 'security', 'low', 'The fence was cut in the night.' from place
       ), enquiry as (
         insert into contact_messages (name, email, company, message)
         values ('Visitor', 'v@zorzor.example', 'Zorzor Ltd', 'Please call me back.') returning id
       )
       insert into quotes (enquiry_id, client_name, site_name, site_address, starts_on, valid_until)
       select id, 'Zorzor Ltd', 'Depot', 'Road', '2031-01-01', '2031-01-31' from enquiry`,
    );
    const kindsFor = async (person: typeof admin, text: string) => {
      await become(client, person);
      const { rows } = await client.query<{ kind: string }>(
        'select distinct kind from find_records($1) order by kind',
        [text],
      );
      return rows.map(({ kind }) => kind);
    };
    const all = ['client', 'contact', 'contract', 'enquiry', 'incident', 'orders', 'post', 'quote'];
    expect(await kindsFor(admin, 'zorzor')).toEqual([...all, 'site']);
    expect(await kindsFor(dispatcher, 'zorzor')).toEqual(['orders', 'post', 'site']);
    expect(await kindsFor(finance, 'zorzor ltd')).toEqual(['client', 'contract', 'quote', 'site']);
    expect(await kindsFor(admin, '0770 998 877')).toEqual(['contact']);
  });
});
