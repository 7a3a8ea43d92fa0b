// Messages of contacts and the office's answers.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  admin,
  contactHere,
  finance,
  formerContact,
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

const as = <Result>(person: Person, work: (client: PoolClient) => Promise<Result>) =>
  rolledBack(database.owner, async (client) => {
    await become(client, person);
    return work(client);
  });

interface Wanted {
  id?: string | null;
  clientId?: string;
  body?: string | null;
  siteId?: string | null;
  starts?: string | null;
  ends?: string | null;
  headcount?: number | null;
}

const send = (client: PoolClient, wanted: Wanted = {}) =>
  client.query('select send_client_request($1, $2, $3, $4, $5, $6, $7)', [
    wanted.id === undefined ? crypto.randomUUID() : wanted.id,
    wanted.clientId ?? scene.clients.here,
    wanted.body === undefined ? 'The lamp is out.' : wanted.body,
    wanted.siteId ?? null,
    wanted.starts ?? null,
    wanted.ends ?? null,
    wanted.headcount ?? null,
  ]);

const tomorrow = (hours: number) => new Date(Date.now() + (24 + hours) * 3_600_000).toISOString();

test('a message arrives once, however often it is sent, and managers get a notice', async () => {
  await as(contactHere, async (client) => {
    const id = crypto.randomUUID();
    await send(client, { id, siteId: scene.sites.here });
    await send(client, { id });
    const { rows } = await client.query(
      'select kind, status, site_id from client_requests where id = $1',
      [id],
    );
    expect(rows).toEqual([{ kind: 'message', status: 'open', site_id: scene.sites.here }]);
    await becomeOwner(client);
    const { rows: notices } = await client.query(
      `select distinct title, link from notices where dedupe_key like $1`,
      [`client request ${id} %`],
    );
    expect(notices).toEqual([
      {
        title: 'Message from Client of here',
        link: `/admin/clients?contacts=${scene.clients.here}`,
      },
    ]);
  });
});

test('with times and a number it is a request for extra guards', async () => {
  await as(contactHere, async (client) => {
    const id = crypto.randomUUID();
    await send(client, { id, starts: tomorrow(0), ends: tomorrow(8), headcount: 2 });
    const { rows } = await client.query(
      'select kind, headcount from client_requests where id = $1',
      [id],
    );
    expect(rows).toEqual([{ kind: 'extra_guard', headcount: 2 }]);
  });
});

test.each<[string, () => Wanted, string]>([
  ['of another client', () => ({ clientId: scene.clients.elsewhere }), '42501'],
  ['at a site of another client', () => ({ siteId: scene.sites.elsewhere }), 'PT404'],
  ['without a text', () => ({ body: null }), '22023'],
  ['with an empty text', () => ({ body: '  ' }), '23502'],
  ['without an id', () => ({ id: null }), '22023'],
  ['with times but no number', () => ({ starts: tomorrow(0), ends: tomorrow(8) }), '23514'],
  ['that ends first', () => ({ starts: tomorrow(8), ends: tomorrow(0), headcount: 1 }), '23514'],
  ['of the past', () => ({ starts: tomorrow(-40), ends: tomorrow(8), headcount: 1 }), '22023'],
  ['without an end', () => ({ starts: tomorrow(0), ends: 'infinity', headcount: 1 }), '22023'],
])('a request %s is refused', async (_what, wanted, code) => {
  await as(contactHere, async (client) => {
    expect(await refusal(client, () => send(client, wanted()))).toMatchObject({ code });
  });
});

test('a former contact sends nothing, and a contact 20 messages a day', async () => {
  await as(formerContact, async (client) => {
    expect(await refusal(client, () => send(client))).toMatchObject({ code: '42501' });
  });
  await as(contactHere, async (client) => {
    // The scene has one already.
    for (let sent = 1; sent < 20; sent += 1) await send(client);
    expect(await refusal(client, () => send(client))).toMatchObject({ code: 'PT429' });
  });
});

test('a manager answers once; finance and contacts do not', async () => {
  await rolledBack(database.owner, async (client) => {
    const id = crypto.randomUUID();
    await become(client, contactHere);
    await send(client, { id });
    const answer = (text: string | null, declined = false) =>
      client.query('select answer_client_request($1, $2, $3)', [id, text, declined]);
    expect(await refusal(client, () => answer('Yes'))).toMatchObject({ code: '42501' });
    await become(client, finance);
    expect(await refusal(client, () => answer('Yes'))).toMatchObject({ code: '42501' });
    await become(client, opsManager);
    for (const empty of [null, '', ' ']) {
      expect(await refusal(client, () => answer(empty))).toMatchObject({ code: '22023' });
    }
    await answer('Not this week.', true);
    await become(client, admin);
    expect(await refusal(client, () => answer('Yes'))).toMatchObject({ code: 'PT409' });
    await become(client, contactHere);
    const { rows } = await client.query(
      'select status, answer from client_requests where id = $1',
      [id],
    );
    expect(rows).toEqual([{ status: 'declined', answer: 'Not this week.' }]);
  });
});
