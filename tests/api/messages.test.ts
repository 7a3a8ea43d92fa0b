// Guards without a smartphone clock in and out by text message; the gateway may deliver it twice, late, or not at all.
import { expect, it } from 'vitest';
import { gatewaySignature, twilioSignature } from '#server/messages/signatures.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

const SECRET = 'a-secret-of-the-gateway-with-32-signs';
const TOKEN = 'twilio-token';
const PUBLIC = 'https://guards.example';

const server = await testServer({
  MESSAGES_SECRET: SECRET,
  MESSAGES_TWILIO_TOKEN: TOKEN,
  SITE_URL: PUBLIC,
  MAIL: 'outbox',
});
const { owner } = server.database;
const PHONE = '+231770123001';
const { id: guard } = await server.signedUp('Moses Kollie');
const sharers = [await server.signedUp('Ama Toe'), await server.signedUp('John Toe')];
const one = async (sql: string, values: unknown[] = []): Promise<string> =>
  (await owner.query<{ id: string }>(`${sql} returning id`, values)).rows[0]?.id ?? '';
const site = await one(
  `insert into sites (name, client_name, address) values ('Here', 'Client', 'Monrovia')`,
);
const addPost = (name: string) =>
  one('insert into posts (site_id, name) values ($1, $2)', [site, name]);
const posts = { gate: await addPost('Gate'), pier: await addPost('Pier') };
await owner.query(`update profiles set phone = $2 where id = $1`, [guard, PHONE]);
await owner.query(`insert into user_roles (user_id, role) values ($1, 'guard')`, [guard]);
const shift = await one(
  `insert into shifts (site_id, post_id, start_time, end_time)
   values ($1, $2, now() + interval '2 hours', now() + interval '10 hours')`,
  [site, posts.gate],
);
const assignment = await one('insert into assignments (shift_id, user_id) values ($1, $2)', [
  shift,
  guard,
]);

/** Nobody has clocked in, and no message has come. */
async function startAgain() {
  await owner.query(`
    delete from inbound_messages; delete from clock_events; delete from welfare_checks; delete from alerts;
    delete from sos_events; delete from attendance;
    update assignments set attendance_state = 'none', status = 'assigned'`);
}

interface Sent {
  id?: string;
  from?: string;
  text?: string;
  kind?: 'text' | 'call';
  sent_at?: string;
}

let count = 0;

function post(
  { id, from = PHONE, ...message }: Sent,
  {
    at = Date.now(),
    secret = SECRET,
    to = server,
  }: { at?: number; secret?: string; to?: TestServer } = {},
) {
  count += 1;
  const body = JSON.stringify({ id: id ?? `message ${count}`, from, ...message });
  const timestamp = String(Math.floor(at / 1000));
  return fetch(`${to.url}/messages/in`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-timestamp': timestamp,
      'x-signature': `sha256=${gatewaySignature(timestamp, body, secret)}`,
    },
    body,
  });
}

async function send(message: Sent): Promise<{ outcome: string; reply: string }> {
  const answer = await post(message);
  expect(answer.status).toBe(200);
  return answer.json();
}

const records = async () => {
  const { rows } = await owner.query(
    `select clock_in_way, clock_out_way, clock_out_at is not null as is_out from attendance where assignment_id = $1`,
    [assignment],
  );
  return rows;
};

const CLOCK = /\d{1,2}:\d\d [AP]M\.$/;

it('IN and OUT clock in and out, in any case and with any spaces, and say so', async () => {
  await startAgain();
  const opened = await send({ text: '  in! ', from: '0770 123 001' });
  expect(opened.outcome).toBe('clocked_in');
  expect(opened.reply).toMatch(/^Clocked in at Here, /);
  expect(opened.reply).toMatch(CLOCK);
  const closed = await send({ text: 'Out' });
  expect(closed.reply).toMatch(/^Clocked out at Here, /);
  expect(await records()).toEqual([
    { clock_in_way: 'message', clock_out_way: 'message', is_out: true },
  ]);
});

it('the same message again gives the same answer and no second record', async () => {
  await startAgain();
  const answers = await Promise.all([1, 2, 3].map(() => send({ id: 'again', text: 'IN' })));
  expect(new Set(answers.map(({ reply }) => reply)).size).toBe(1);
  await send({ id: 'again', text: 'OUT' });
  expect(await records()).toEqual([
    { clock_in_way: 'message', clock_out_way: null, is_out: false },
  ]);
  const { rows } = await owner.query('select from inbound_messages');
  expect(rows).toHaveLength(1);
});

it('IN sent twice with two ids is one record', async () => {
  await startAgain();
  await send({ text: 'IN' });
  expect(await send({ text: 'IN' })).toMatchObject({ outcome: 'repeated' });
  expect(await records()).toHaveLength(1);
});

it('OUT that arrives before IN waits for it, and both keep their times', async () => {
  await startAgain();
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  await owner.query(
    `update shifts set start_time = now() - interval '90 minutes', end_time = now() + interval '6 hours'
     where id = $1`,
    [shift],
  );
  expect(await send({ text: 'OUT', sent_at: ago(1) })).toMatchObject({ outcome: 'out_before_in' });
  expect(await records()).toEqual([]);
  expect(await send({ text: 'IN', sent_at: ago(60) })).toMatchObject({ outcome: 'clocked_in' });
  const { rows } = await owner.query(
    `select extract(epoch from clock_out_at - clock_in_at)::int / 60 as minutes from attendance where assignment_id = $1`,
    [assignment],
  );
  expect(rows).toEqual([{ minutes: 59 }]);
  const { rows: waiting } = await owner.query('select from inbound_messages where is_exception');
  expect(waiting).toEqual([]);
  await owner.query(
    `update shifts set start_time = now() + interval '2 hours', end_time = now() + interval '10 hours'
     where id = $1`,
    [shift],
  );
});

it('the code of the post clocks in there, then out; another post’s code does not', async () => {
  await startAgain();
  const { rows } = await owner.query('select id, code from posts');
  const codeOf = (post: string) => rows.find(({ id }) => id === post)?.code;
  expect(await send({ text: codeOf(posts.pier) })).toMatchObject({ outcome: 'no_shift' });
  const code = codeOf(posts.gate).replace('P', 'p ');
  expect(await send({ text: code })).toMatchObject({ outcome: 'clocked_in' });
  expect(await send({ text: code })).toMatchObject({ outcome: 'clocked_out' });
  expect(await send({ text: 'IN P99999' })).toMatchObject({ outcome: 'unknown_words' });
});

it('a message without an assignable event becomes an exception for planners, not a record', async () => {
  await startAgain();
  await owner.query(`update profiles set phone = '+231770123002' where id = any ($1)`, [
    sharers.map(({ id }) => id),
  ]);
  const outcomes = [
    await send({ text: 'IN', from: '+231770999999' }),
    await send({ text: 'IN', from: '+266696687' }),
    await send({ text: 'IN', from: '+231770123002' }),
    await send({ text: 'I am here with PIN 4321' }),
    await send({ text: 'IN OUT' }),
  ].map(({ outcome }) => outcome);
  expect(outcomes).toEqual([
    'unknown_number',
    'restricted',
    'ambiguous',
    'unknown_words',
    'unknown_words',
  ]);
  expect(await records()).toEqual([]);
  const { rows } = await owner.query(
    `select body from inbound_messages where is_exception and handled_at is null order by received_at`,
  );
  expect(rows).toHaveLength(5);
  expect(rows[3].body).toBe('I am here with PIN ****');
});

it('planners get a notice of what they must look at, and none of advertisements', async () => {
  await startAgain();
  const { id: planner } = await server.signedUp('Esther Dahn');
  await owner.query(`insert into user_roles (user_id, role) values ($1, 'dispatcher')`, [planner]);
  const notices = async () => {
    const { rows } = await owner.query<{ title: string }>(
      'delete from notices where user_id = $1 returning title',
      [planner],
    );
    return rows.map(({ title }) => title);
  };
  await send({ text: 'Win a new phone today', from: '+231770555001' });
  expect(await notices()).toEqual([]);
  await send({ text: 'IN', from: '+231770555002' });
  expect(await notices()).toEqual(['A message from an unknown number']);
  await send({ kind: 'call', from: '+266696687' });
  expect(await notices()).toEqual(['A message from a withheld number']);
  await owner.query(`update profiles set phone = '+231770123005' where id = any ($1)`, [
    sharers.map(({ id }) => id),
  ]);
  await send({ text: 'IN', from: '+231770123005' });
  await send({ text: 'Hello', from: '+231770123005' });
  expect(await notices()).toEqual(['A guard’s message needs you', 'A guard’s message needs you']);
  await owner.query(`delete from user_roles where user_id = $1`, [planner]);
});

it('an unknown number that sends much makes one notice an hour', async () => {
  await startAgain();
  const { id: planner } = await server.signedUp('Patience Weah');
  await owner.query(`insert into user_roles (user_id, role) values ($1, 'dispatcher')`, [planner]);
  for (const text of ['IN', 'OUT', 'IN']) await send({ text, from: '+231770555003' });
  const { rows } = await owner.query(
    `select from notices where user_id = $1 and created_at > now() - interval '1 minute'`,
    [planner],
  );
  // Two if an hour began in between.
  expect([1, 2]).toContain(rows.length);
  await owner.query(`delete from user_roles where user_id = $1`, [planner]);
});

it('a PIN tells the guards of one number apart, and is locked after five wrong ones', async () => {
  await startAgain();
  await owner.query(`update profiles set phone = '+231770123003' where id = any ($1)`, [
    [guard, sharers[0]?.id],
  ]);
  await owner.query(`select private.store_pin($1, '4071'), private.store_pin($2, '9305')`, [
    guard,
    sharers[0]?.id,
  ]);
  const shared = { from: '+231770123003' };
  expect(await send({ ...shared, text: 'IN' })).toMatchObject({ outcome: 'ambiguous' });
  expect(await send({ ...shared, text: 'IN 4071' })).toMatchObject({ outcome: 'clocked_in' });
  for (let tried = 0; tried < 5; tried += 1) {
    expect(await send({ ...shared, text: 'OUT 2222' })).toMatchObject({ outcome: 'wrong_pin' });
  }
  expect(await send({ ...shared, text: 'OUT 4071' })).toMatchObject({ outcome: 'wrong_pin' });
  expect(await records()).toMatchObject([{ is_out: false }]);
  await owner.query('delete from private.guard_pins');
  await owner.query(`update profiles set phone = $2 where id = $1`, [guard, PHONE]);
});

it('OK and a missed call answer a welfare check', async () => {
  await startAgain();
  await send({ text: 'IN' });
  const due = (ago: number) =>
    owner.query(
      `insert into welfare_checks (assignment_id, shift_id, user_id, site_id, due_at, every_minutes)
       select a.id, a.shift_id, a.user_id, a.site_id, now() - make_interval(mins => $2), 60 from assignments a where a.id = $1`,
      [assignment, ago],
    );
  await due(3);
  expect((await send({ text: 'ok' })).reply).toMatch(/^Thank you\. You are fine at /);
  await due(2);
  expect(await send({ kind: 'call' })).toMatchObject({ outcome: 'fine' });
  const { rows } = await owner.query('select way from welfare_checks order by due_at');
  expect(rows).toEqual([{ way: 'message' }, { way: 'call' }]);
  // In the middle of the shift a call leaves the guard clocked in.
  await send({ kind: 'call' });
  expect(await records()).toMatchObject([{ is_out: false }]);
});

it('SOS raises the alert, among any words', async () => {
  await startAgain();
  expect(await send({ text: 'please SOS come' })).toMatchObject({ outcome: 'sos' });
  const { rows } = await owner.query(`select user_id from alerts where kind = 'sos'`);
  expect(rows).toEqual([{ user_id: guard }]);
});

it('one number sends 20 messages in ten minutes, and SOS always', async () => {
  await startAgain();
  const from = '+231770555555';
  for (let sent = 0; sent < 20; sent += 1) await send({ text: 'hello', from });
  expect((await post({ text: 'hello', from })).status).toBe(429);
  expect((await post({ text: 'SOS', from })).status).toBe(200);
});

it.each([
  ['another secret', { secret: 'another-secret-of-somebody-else-32-sig' }, 401],
  ['a clock ten minutes behind', { at: Date.now() - 600_000 }, 401],
  ['a clock ten minutes ahead', { at: Date.now() + 600_000 }, 401],
])('a message signed with %s is refused', async (_name, signing, status) => {
  await startAgain();
  expect((await post({ text: 'IN' }, signing)).status).toBe(status);
  expect(await records()).toEqual([]);
});

function twilio(fields: Record<string, string>, signature?: string) {
  const form = new URLSearchParams(fields);
  return fetch(`${server.url}/messages/in`, {
    method: 'POST',
    headers: {
      'x-twilio-signature': signature ?? twilioSignature(`${PUBLIC}/messages/in`, form, TOKEN),
    },
    body: form,
  });
}

it('Twilio is answered in its own form, once it has signed', async () => {
  await startAgain();
  const message = { MessageSid: 'SM1', From: PHONE, To: '+231770000000', Body: 'IN' };
  expect((await twilio(message, 'c2lnbmF0dXJl')).status).toBe(403);
  expect(await records()).toEqual([]);
  const answer = await twilio(message);
  expect(answer.headers.get('content-type')).toContain('text/xml');
  expect(await answer.text()).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Message>Clocked in at Here, .+M\.<\/Message><\/Response>$/,
  );
  const call = await twilio({ CallSid: 'CA1', From: PHONE, CallStatus: 'ringing' });
  expect(await call.text()).toContain('<Reject');
});

it('Twilio’s signature is the one of its documentation', () => {
  const form = new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    Caller: '+12349013030',
    Digits: '1234',
    From: '+12349013030',
    To: '+18005551212',
  });
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  expect(twilioSignature(url, form, '12345')).toBe('0/KCTR6DLpKmkAf8muzZqo1nDgQ=');
});

it('without a secret there is no such address', async () => {
  const closed = await testServer();
  expect((await post({ text: 'IN' }, { to: closed })).status).toBe(404);
});
