// Contacts of clients: how long they may look, who may never be one, and what ends their access.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  admin,
  contactElsewhere,
  contactHere,
  finance,
  formerContact,
  guardHere,
  newcomer,
  opsManager,
  type Person,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const MY_CLIENTS = 'select client_name, full_name from my_clients()';

/** The clients that the person's portal shows after the owner's change. */
const clientsAfter = (person: Person, sql: string): Promise<unknown[]> =>
  rolledBack(database.owner, async (client) => {
    await client.query(sql);
    await become(client, person);
    return (await client.query(MY_CLIENTS)).rows;
  });

const isMember = async (person: Person, sql = 'select'): Promise<unknown> =>
  rolledBack(database.owner, async (client) => {
    await client.query(sql);
    await become(client, person);
    return (await client.query('select private.is_member() as yes')).rows[0]?.yes;
  });

const setUntil = (day: string) =>
  `update client_contacts set access_until = ${day} where user_id = '${contactHere.id}'`;

test('a contact sees the own client until the end of the last day, and nothing later', async () => {
  const own = [{ client_name: 'Client of here', full_name: contactHere.name }];
  expect(await clientsAfter(contactHere, 'select')).toEqual(own);
  expect(await clientsAfter(contactHere, setUntil('private.company_date()'))).toEqual(own);
  expect(await clientsAfter(contactHere, setUntil('private.company_date() - 1'))).toEqual([]);
  expect(await clientsAfter(formerContact, 'select')).toEqual([]);
});

test('a contact of two clients sees both', async () => {
  const both = `insert into client_contacts (client_id, full_name, email, user_id)
    values ('${scene.clients.elsewhere}', 'Both', 'both@client.example', '${contactHere.id}')`;
  expect(await clientsAfter(contactHere, both)).toMatchObject([
    { client_name: 'Client of elsewhere' },
    { client_name: 'Client of here' },
  ]);
});

test('with a second factor, a contact sees nothing before it is shown', async () => {
  const factor = `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
    values (gen_random_uuid(), '${contactHere.id}', 'totp', 'verified', now(), now())`;
  expect(await clientsAfter(contactHere, factor)).toEqual([]);
});

test('an account made for a contact is never a member, also when the contact is gone', async () => {
  expect(await isMember(newcomer)).toBe(true);
  expect(await isMember(contactHere)).toBe(false);
  expect(await isMember(formerContact)).toBe(false);
  expect(await isMember(contactHere, 'delete from client_contacts')).toBe(false);
});

test.each([
  ['a role', `insert into user_roles (user_id, role) values ($1, 'guard')`],
  [
    'a shift',
    `insert into assignments (shift_id, user_id) select id, $1 from shifts where start_time > now() limit 1`,
  ],
  ['a staff record', `insert into staff (full_name, salary_amount, user_id) values ('New', 1, $1)`],
  [
    'the staff record of another',
    `update staff set user_id = $1 where id = (select id from staff limit 1)`,
  ],
])('a contact never gets %s', async (_what, sql) => {
  await rolledBack(database.owner, async (client) => {
    await client.query('delete from post_courses');
    const error = await refusal(client, () => client.query(sql, [contactHere.id]));
    expect(error).toMatchObject({ code: 'PT409', message: expect.stringContaining('contact') });
  });
});

test('a member of the company never becomes a contact', async () => {
  await rolledBack(database.owner, async (client) => {
    const error = await refusal(client, () =>
      client.query(
        `insert into client_contacts (client_id, full_name, email, user_id) values ($1, 'Guard', 'g@x.example', $2)`,
        [scene.clients.here, guardHere.id],
      ),
    );
    expect(error).toMatchObject({ code: 'PT409', message: expect.stringContaining('works for') });
  });
});

test('a manager ends an access: the sessions end with it, unless the contact has another client', async () => {
  await rolledBack(database.owner, async (client) => {
    const sessions = async () =>
      (await client.query('select from auth.sessions where user_id = $1', [contactHere.id]))
        .rowCount;
    await client.query(
      `insert into auth.sessions (id, user_id, created_at, updated_at) values (gen_random_uuid(), $1, now(), now())`,
      [contactHere.id],
    );
    const { rows: other } = await client.query(
      `insert into client_contacts (client_id, full_name, email, user_id)
       values ($1, 'Both', 'both@client.example', $2) returning id`,
      [scene.clients.elsewhere, contactHere.id],
    );
    const revoke = (id: unknown) => client.query('select revoke_client_access($1)', [id]);
    await become(client, opsManager);
    await revoke(other[0]?.id);
    await becomeOwner(client);
    expect(await sessions()).toBe(1);
    const { rows: last } = await client.query(
      'select id from client_contacts where user_id = $1 and revoked_at is null',
      [contactHere.id],
    );
    await become(client, finance);
    expect(await refusal(client, () => revoke(last[0]?.id))).toMatchObject({ code: '42501' });
    await become(client, opsManager);
    await revoke(last[0]?.id);
    expect(await refusal(client, () => revoke(last[0]?.id))).toMatchObject({ code: 'PT404' });
    await becomeOwner(client);
    expect(await sessions()).toBe(0);
    const { rows } = await client.query('select revoked_by from client_contacts where id = $1', [
      last[0]?.id,
    ]);
    expect(rows).toEqual([{ revoked_by: opsManager.id }]);
  });
});

test('an access is given for two years at most, and an address only once at a client', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, admin);
    const add = (until: string, email = 'a@client.example') =>
      client.query(
        `insert into client_contacts (client_id, full_name, email, access_until) values ($1, 'A', $2, ${until})`,
        [scene.clients.here, email],
      );
    expect(await refusal(client, () => add(`current_date + 800`))).toMatchObject({
      message: 'Access lasts at most two years at a time.',
    });
    for (const wrong of [`'infinity'`, `'-infinity'`, 'null']) {
      expect((await refusal(client, () => add(wrong))).code).toMatch(/^23/);
    }
    expect((await refusal(client, () => add('current_date', 'A@Client.example'))).code).toBe(
      '23514',
    );
    await add('current_date + 700');
    expect((await refusal(client, () => add('current_date'))).code).toBe('23505');
  });
});

test('a client is deleted only after the access of its contacts has ended', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, admin);
    const remove = () => client.query('delete from clients where id = $1', [scene.clients.here]);
    expect(await refusal(client, remove)).toMatchObject({
      code: '23503',
      message: expect.stringContaining('End their access first.'),
    });
    await client.query(
      `select revoke_client_access(id) from client_contacts where client_id = $1 and revoked_at is null`,
      [scene.clients.here],
    );
    expect((await remove()).rowCount).toBe(1);
  });
});

test('the office sees the address that the contact uses now', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(`update auth.users set email = 'New.Address@x.example' where id = $1`, [
      contactElsewhere.id,
    ]);
    const { rows } = await client.query('select email from client_contacts where user_id = $1', [
      contactElsewhere.id,
    ]);
    expect(rows).toEqual([{ email: 'new.address@x.example' }]);
  });
});

test('links go to contacts with access only, and a network that asks too often is stopped', async () => {
  await rolledBack(database.owner, async (client) => {
    const ask = async (email: string | null, network = 'a'): Promise<unknown> =>
      (await client.query('select take_client_link($1, $2) as answer', [email, network])).rows[0]
        ?.answer;
    expect(await ask(contactHere.claims?.email ?? '')).toBe('yes');
    expect(await ask(` ${contactHere.claims?.email?.toUpperCase()} `)).toBe('yes');
    for (const nobody of [
      formerContact.claims?.email,
      guardHere.claims?.email,
      'x@y.example',
      null,
    ]) {
      expect(await ask(nobody ?? null)).toBe('no');
    }
    for (let request = 6; request < 20; request += 1) await ask('x@y.example');
    expect(await ask(contactHere.claims?.email ?? '')).toBe('blocked');
    expect(await ask(contactHere.claims?.email ?? '', 'b')).toBe('yes');
  });
});
