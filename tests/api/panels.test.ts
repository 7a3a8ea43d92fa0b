// Alarm panels post signed events; each becomes a call or a note in one, once however often it is sent.
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { gatewaySignature } from '#server/messages/signatures.ts';
import { testServer } from '#tests/support/server.ts';

const SECRET = 'ab'.repeat(32);
const server = await testServer({ MAIL: 'outbox' });
const { owner } = server.database;
const one = async (sql: string, values: unknown[] = []): Promise<string> =>
  (await owner.query<{ id: string }>(`${sql} returning id`, values)).rows[0]?.id ?? '';
const site = await one(
  `insert into sites (name, client_name, address) values ('Store', 'Client', 'Monrovia')`,
);
const { id: dispatcher } = await server.signedUp('Martha Gbowee');
await owner.query(`insert into user_roles (user_id, role) values ($1, 'dispatcher')`, [dispatcher]);

async function addPanel(account: string | null = null): Promise<string> {
  const panel = await one(
    `insert into alarm_panels (name, site_id, account) values ('Panel of the store', $1, $2)`,
    [site, account],
  );
  await owner.query('insert into private.panel_secrets (panel_id, secret) values ($1, $2)', [
    panel,
    SECRET,
  ]);
  return panel;
}

let panel = '';

beforeEach(async () => {
  await owner.query('delete from alarm_panels; delete from service_calls; delete from notices');
  panel = await addPanel();
});

const Answer = z.object({
  outcome: z.string().optional(),
  call: z.string().nullish(),
  error: z.string().optional(),
});

type How = { at?: number; secret?: string; to?: string; type?: string };

async function send(event: string | object, how: How = {}) {
  const { at = Date.now(), secret = SECRET, to = panel } = how;
  const isText = typeof event === 'string';
  const { type = isText ? 'text/plain' : 'application/json' } = how;
  const body = isText ? event : JSON.stringify(event);
  const timestamp = String(Math.floor(at / 1000));
  const answer = await fetch(`${server.url}/alarms/in/${to}`, {
    method: 'POST',
    headers: {
      'content-type': type,
      'x-timestamp': timestamp,
      'x-signature': `sha256=${gatewaySignature(timestamp, body, secret)}`,
    },
    body,
  });
  return { status: answer.status, ...Answer.parse(await answer.json()) };
}

const calls = async () =>
  (
    await owner.query(
      `select kind, priority, source, details, caller_name, client_name, state from service_calls
       order by received_at`,
    )
  ).rows;
const notes = async () =>
  (
    await owner.query(`select note from unit_events where kind = 'note' order by sequence`)
  ).rows.map(({ note }) => note);

it('makes a call of an alarm at the site of the panel, once, and tells the dispatchers', async () => {
  const event = { id: '41', kind: 'intruder', text: 'Zone 3, back door' };
  const first = await send(event);
  expect(first).toMatchObject({ status: 200, outcome: 'call' });
  expect(await send(event)).toMatchObject({ status: 200, outcome: 'repeated', call: first.call });
  const repeats = await Promise.all([1, 2, 3].map(() => send(event)));
  expect(repeats.every(({ call }) => call === first.call)).toBe(true);
  expect(await calls()).toEqual([
    {
      kind: 'intruder',
      priority: 'urgent',
      source: 'panel',
      details: 'Zone 3, back door',
      caller_name: 'Panel of the store',
      client_name: 'Client',
      state: 'open',
    },
  ]);
  const { rows } = await owner.query('select title, body from notices where user_id = $1', [
    dispatcher,
  ]);
  expect(rows).toEqual([{ title: 'Intruder, Store', body: 'Zone 3, back door' }]);
});

it('adds to the open call of its kind, and a restore closes nothing', async () => {
  await send({ id: '1', kind: 'intruder', text: 'Zone 1' });
  expect(await send({ id: '2', kind: 'intruder', text: 'Zone 2' })).toMatchObject({
    outcome: 'noted',
  });
  expect(await send({ id: '3', kind: 'intruder', text: 'Zone 1', restore: true })).toMatchObject({
    outcome: 'noted',
  });
  expect(await notes()).toEqual(['Zone 2', 'Restored: Zone 1']);
  expect(await calls()).toMatchObject([{ state: 'open', details: 'Zone 1' }]);
  // Another kind is a call of its own.
  expect(await send({ id: '4', kind: 'fire', text: 'Smoke' })).toMatchObject({ outcome: 'call' });
  expect(await calls()).toMatchObject([{ kind: 'intruder' }, { kind: 'fire', priority: 'danger' }]);
});

it('takes Contact ID, plain and in JSON, with restores and troubles that make no call', async () => {
  const at = Date.now();
  expect(await send('1234 18 1130 01 015', { at })).toMatchObject({ outcome: 'call' });
  expect(await send('1234 18 1130 01 015', { at })).toMatchObject({ outcome: 'repeated' });
  expect(await send({ id: '7', contact_id: '1234 18 3130 01 015' })).toMatchObject({
    outcome: 'noted',
  });
  expect(await calls()).toMatchObject([
    { kind: 'intruder', details: 'Burglary (130), partition 01, zone 015' },
  ]);
  expect(await notes()).toEqual(['Restored: Burglary (130), partition 01, zone 015']);
  await owner.query('delete from service_calls');
  expect(await send('1234 18 1302 00 000')).toEqual({ status: 200, outcome: 'stored', call: null });
  expect(await send('1234 18 3130 01 015')).toMatchObject({ outcome: 'stored' });
  expect(await calls()).toEqual([]);
});

it('refuses what is not signed by this panel, is old, or can’t be read', async () => {
  const event = { id: '1', kind: 'alarm' };
  const other = await addPanel('1234');
  await owner.query(`update private.panel_secrets set secret = 'other' where panel_id = $1`, [
    other,
  ]);
  for (const [how, status] of [
    [{ secret: 'wrong' }, 401],
    [{ to: other }, 401],
    [{ at: Date.now() - 6 * 60_000 }, 401],
    [{ to: crypto.randomUUID() }, 404],
    [{ to: 'x' }, 404],
    [{ type: 'text/xml' }, 415],
  ] satisfies [How, number][]) {
    expect(await send(event, how)).toMatchObject({ status });
  }
  for (const [body, error] of [
    [{ kind: 'alarm' }, /^id: /],
    [{ id: '1' }, /^kind: Send the kind/],
    [{ id: '1', kind: 'flood' }, /^kind: /],
    ['hello', /no Contact ID/],
  ] satisfies [string | object, RegExp][]) {
    expect(await send(body)).toMatchObject({ status: 400, error: expect.stringMatching(error) });
  }
  const ours = { to: other, secret: 'other' };
  expect(await send('9999 18 1130 01 015', ours)).toMatchObject({
    status: 400,
    error: 'This panel sends for account 1234.',
  });
  expect(await calls()).toEqual([]);
  expect(await send('1234 18 1130 01 015', ours)).toMatchObject({ outcome: 'call' });
});

it('stops a panel that sends too much, and no other', async () => {
  await owner.query('update private.panel_secrets set requests = 60 where panel_id = $1', [panel]);
  expect(await send({ id: '61', kind: 'fire' })).toMatchObject({ status: 429 });
  const other = await addPanel();
  expect(await send({ id: '61', kind: 'fire' }, { to: other })).toMatchObject({ outcome: 'call' });
  await owner.query(
    `update private.panel_secrets set minute_began = now() - interval '61 seconds' where panel_id = $1`,
    [panel],
  );
  expect(await send({ id: '61', kind: 'fire' })).toMatchObject({ outcome: 'call' });
});
