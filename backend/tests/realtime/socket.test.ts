// The WebSocket: who can open it, its replies, and resistance to invalid input.
import { createClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import ws from 'ws';
import { Socket } from '#backend/services/realtime/socket/socket.ts';
import { rawSocket } from '#tests/support/raw-socket.ts';
import { subscribed, userClient } from '#tests/support/realtime.ts';
import { atOneMoment, type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer();
  await server.database.owner.query(`
    create table public.ping (id int generated always as identity primary key, body text);
    grant select on public.ping to anon, authenticated;
    alter publication supabase_realtime add table public.ping;`);
});

const say = (body: string) =>
  server.database.owner.query('insert into public.ping (body) values ($1)', [body]);

const ping = { event: '*', schema: 'public', table: 'ping' };
const join = (topic: string, config: object = {}, token?: string): unknown => [
  ...['1', '1', topic, 'phx_join'],
  { config, access_token: token },
];

async function opening(query: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new ws(`${server.url.replace('http', 'ws')}/realtime/v1/websocket?${query}`, {
    headers,
  });
  return new Promise((resolve) => {
    socket.on('open', () => {
      resolve(101);
      socket.close();
    });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => {});
  });
}

describe('opening a socket', () => {
  it('needs a key signed by this server', async () => {
    const { anonKey, sign } = server.context.keys;
    const forged = await new SignJWT({ role: 'service_role', exp: 4_000_000_000 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('another server’s secret of enough length'));
    const none = `${btoa('{"alg":"none"}')}.${btoa('{"role":"service_role","exp":4000000000}')}.`;
    const old = await sign({ role: 'anon', exp: 1_000_000_000 });
    const noRole = await sign({ exp: 4_000_000_000 });
    expect(await opening(`apikey=${anonKey}&vsn=2.0.0`)).toBe(101);
    expect(await opening('', { 'x-api-key': anonKey })).toBe(101);
    for (const key of ['', 'nonsense', '%00', forged, none.replaceAll('=', ''), old, noRole]) {
      expect({ key, status: await opening(`apikey=${key}`) }).toEqual({ key, status: 401 });
    }
  });

  it('is rejected with JSON, and so is a plain request', async () => {
    const response = await fetch(`${server.url}/realtime/v1/websocket`);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: 'API key is missing' });
  });
});

describe.each(['1.0.0', '2.0.0'])('protocol version %s', (vsn) => {
  it('allows supabase-js to join, receive changes and leave', async () => {
    const client = createClient(server.url, server.context.keys.anonKey, {
      auth: { persistSession: false },
      realtime: { transport: ws as never, vsn, heartbeatIntervalMs: 100 },
    });
    const beats: string[] = [];
    client.realtime.onHeartbeat((status) => beats.push(status));
    const heard = await subscribed(client, { event: 'INSERT', table: 'ping' });
    await say(`hello ${vsn}`);
    expect((await heard.next()).new).toMatchObject({ body: `hello ${vsn}` });
    await expect.poll(() => beats).toContain('ok');
    expect(await client.removeChannel(heard.channel)).toBe('ok');
    await client.removeAllChannels();
  });
});

describe('a join', () => {
  it('returns the requested bindings, each with an id', async () => {
    const { frames, send, socket } = await rawSocket(server);
    const asked = [
      { event: 'insert', schema: 'public', table: 'ping', filter: 'id=gt.0', odd: [1] },
      { event: '*', schema: 'public' },
    ];
    send(join('realtime:a', { postgres_changes: asked }));
    const id = expect.any(Number);
    expect(await frames.next()).toEqual([
      ...['1', '1', 'realtime:a', 'phx_reply'],
      {
        status: 'ok',
        response: { postgres_changes: asked.map((binding) => ({ ...binding, id })) },
      },
    ]);
    expect(await frames.next()).toEqual([
      ...['1', null, 'realtime:a', 'system'],
      {
        channel: 'a',
        extension: 'postgres_changes',
        status: 'ok',
        message: 'Subscribed to PostgreSQL',
      },
    ]);
    socket.terminate();
  });

  it('is rejected with an invalid token, with the reason', async () => {
    const { sign } = server.context.keys;
    const past = Math.floor(Date.now() / 1000) - 100;
    const forged = await new SignJWT({ role: 'service_role', exp: 4_000_000_000 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('another server’s secret of enough length'));
    const cases: [token: string, reason: RegExp][] = [
      ['nonsense', /^MalformedJWT: /],
      [forged, /^JwtSignatureError: Failed to validate JWT signature$/],
      [await sign({ role: 'authenticated', exp: past }), /^InvalidJWTToken: Token has expired \d+/],
      [await sign({ sub: 'x' }), /^InvalidJWTToken: Fields `role` and `exp` are required in JWT$/],
    ];
    const { frames, send, socket } = await rawSocket(server);
    for (const [token, reason] of cases) {
      send(join('realtime:a', {}, token));
      expect(await frames.next()).toMatchObject([
        ...['1', '1', 'realtime:a', 'phx_reply'],
        { status: 'error', response: { reason: expect.stringMatching(reason) } },
      ]);
    }
    send(join('realtime:', {}));
    expect(await frames.next()).toMatchObject({
      4: { response: { reason: expect.stringMatching(/^TopicNameRequired: /) } },
    });
    send(join('realtime:a', { postgres_changes: 'all' }));
    expect(await frames.next()).toMatchObject({
      4: { response: { reason: expect.stringMatching(/^InvalidJoinPayload: /) } },
    });
    socket.terminate();
  });

  it('of the same topic closes the earlier channel', async () => {
    const { frames, send, socket } = await rawSocket(server);
    send(['1', '1', 'realtime:a', 'phx_join', { config: {} }]);
    await frames.next();
    send(['2', '2', 'realtime:a', 'phx_join', { config: {} }]);
    expect(await frames.next()).toEqual(['1', '1', 'realtime:a', 'phx_close', {}]);
    expect(await frames.next()).toMatchObject(['2', '2', 'realtime:a', 'phx_reply', {}]);
    socket.terminate();
  });

  it('beyond a hundred channels is rejected', async () => {
    const { frames, send, socket } = await rawSocket(server);
    for (let i = 1; i <= 101; i += 1) send(join(`realtime:${i}`));
    for (let i = 1; i <= 100; i += 1) {
      expect(await frames.next()).toMatchObject({ 2: `realtime:${i}`, 4: { status: 'ok' } });
    }
    expect(await frames.next()).toMatchObject({
      4: { response: { reason: 'ChannelRateLimitReached: Too many channels' } },
    });
    socket.terminate();
  });
});

describe('joins', () => {
  it('beyond two hundred per second are rejected', async () => {
    const { frames, send, socket } = await rawSocket(server);
    const refs = Array.from({ length: 210 }, (_, i) => String(i));
    const reasons: unknown[] = [];
    await atOneMoment(server, async () => {
      for (const ref of refs) send([ref, ref, 'realtime:again', 'phx_join', { config: {} }]);
      while (reasons.length < refs.length) {
        const [, , , event, payload] = Object(await frames.next());
        if (event === 'phx_reply') reasons.push(payload.response.reason);
      }
    });
    const refused = 'ClientJoinRateLimitReached: Too many joins per second';
    expect(reasons).toEqual(refs.map((_, i) => (i < 200 ? undefined : refused)));
    socket.terminate();
  });

  it('of a thousand clients at once all succeed', async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => rawSocket(server)));
    for (const { send } of sockets) {
      for (let n = 0; n < 10; n += 1) {
        send(['1', '1', `realtime:${n}`, 'phx_join', { config: { postgres_changes: [ping] } }]);
      }
    }
    for (const { frames } of sockets) {
      const events = [];
      for (let n = 0; n < 20; n += 1) events.push(Object(await frames.next())[3]);
      expect(events.sort()).toEqual([
        ...Array.from({ length: 10 }, () => 'phx_reply'),
        ...Array.from({ length: 10 }, () => 'system'),
      ]);
    }
    await say('to all');
    for (const { frames, socket } of sockets) {
      for (let n = 0; n < 10; n += 1) {
        expect(await frames.next()).toMatchObject({
          3: 'postgres_changes',
          4: { data: { record: { body: 'to all' } } },
        });
      }
      socket.terminate();
    }
  });
});

describe('a token', () => {
  it('that expires closes its channel and no other', async () => {
    const short = await userClient(server, crypto.randomUUID(), 2);
    const heard = await subscribed(short, { table: 'ping' });
    expect(await heard.system.next()).toMatchObject({
      status: 'error',
      extension: 'system',
      message: 'Token has expired',
    });
    expect((await heard.statuses.next()).status).toBe('CLOSED');
  });

  it('that is replaced by an invalid one closes its channel', async () => {
    const { frames, send, socket } = await rawSocket(server);
    send(join('realtime:a'));
    await frames.next();
    send(['1', '2', 'realtime:a', 'access_token', { access_token: 'nonsense' }]);
    expect(await frames.next()).toMatchObject({ 3: 'system', 4: { status: 'error' } });
    expect(await frames.next()).toEqual(['1', '1', 'realtime:a', 'phx_close', {}]);
    socket.terminate();
  });
});

describe('invalid frames', () => {
  it('are ignored or answered with an error, and the socket stays open', async () => {
    const { frames, send, socket } = await rawSocket(server);
    const unmatched = { status: 'error', response: { reason: 'unmatched topic' } };
    const nonsense: (string | Buffer)[] = [
      '',
      '{',
      'null',
      '[]',
      '[1,2,3]',
      '[null,null,"","",null]',
      '{"topic":"realtime:a","event":"phx_join","payload":{},"ref":"1"}',
      '["1","1",{"a":1},"phx_join",{}]',
      `[${'['.repeat(50_000)}`,
      '["1","1","realtime:\\u0000","broadcast",{}]',
      Buffer.alloc(0),
      Buffer.from([3]),
      Buffer.from([3, 255, 255, 255, 255, 255, 1]),
      Buffer.from([9, 0, 0, 0, 0, 0, 0, 0]),
      Buffer.from([0xff, 0xfe, 0xfd]),
    ];
    for (const frame of nonsense) socket.send(frame);
    send(['1', '6', 'realtime:\u0000', 'dance', {}]);
    send(['1', '7', 'nowhere', 'phx_join', {}]);
    send([null, '8', 'phoenix', 'heartbeat', {}]);
    const answers = [];
    for (let n = 0; n < 4; n += 1) answers.push(await frames.next());
    expect(answers).toEqual([
      ['1', '1', 'realtime:\u0000', 'phx_reply', expect.anything()],
      ['1', '6', 'realtime:\u0000', 'phx_reply', unmatched],
      ['1', '7', 'nowhere', 'phx_reply', unmatched],
      [null, '8', 'phoenix', 'phx_reply', { status: 'ok', response: {} }],
    ]);
    socket.terminate();
  });

  it('over the size limit close the socket', async () => {
    const { closed, socket } = await rawSocket(server);
    socket.send('x'.repeat(3 * 1024 * 1024 + 1));
    expect(await closed).toEqual({ code: 1009 });
  });
});

describe('a client that stops reading', () => {
  it('is disconnected, and the others receive everything', async () => {
    const { socket, frames, closed, send } = await rawSocket(server);
    send(join('realtime:slow', { postgres_changes: [{ event: '*', table: 'ping' }] }));
    await frames.next();
    const heard = await subscribed(server.client(), { table: 'ping' });
    const closing = vi.spyOn(Socket.prototype, 'closeAsTooSlow');
    socket.pause();
    const body = 'x'.repeat(500_000);
    for (let i = 0; i < 40; i += 1) {
      await say(body);
      await heard.next();
      // The server waits three seconds for it to read the reason, which a slow machine may need for the other messages.
      if (closing.mock.calls.length > 0) socket.resume();
    }
    expect(closing).toHaveBeenCalled();
    closing.mockRestore();
    // A client that reads on learns the reason: 1013 is "try again later".
    expect(await closed).toEqual({ code: 1013 });
  });
});

describe('two sockets of one user', () => {
  it('both receive a change, and one stays open when the other leaves', async () => {
    const user = crypto.randomUUID();
    const [one, two] = [await userClient(server, user), await userClient(server, user)];
    const [first, second] = [
      await subscribed(one, { table: 'ping' }),
      await subscribed(two, { table: 'ping' }),
    ];
    await say('both');
    expect((await first.next()).new).toMatchObject({ body: 'both' });
    expect((await second.next()).new).toMatchObject({ body: 'both' });
    await one.removeAllChannels();
    await say('one');
    expect((await second.next()).new).toMatchObject({ body: 'one' });
    expect(first.changes.length).toBe(0);
  });
});

describe('a socket without heartbeats for a minute', () => {
  it('is closed', async () => {
    const { closed } = await rawSocket(server);
    const { context } = server;
    const { now } = context;
    context.now = () => new Date(Date.now() + 61_000);
    try {
      expect(await closed).toEqual({ code: 1006 });
    } finally {
      context.now = now;
    }
  });
});
