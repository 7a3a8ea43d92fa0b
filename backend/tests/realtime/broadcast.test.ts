// Broadcast and presence between supabase-js clients, over both protocol versions and HTTP.
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ws from 'ws';
import { rawSocket } from '#tests/support/raw-socket.ts';
import { type Queue, queue } from '#tests/support/realtime.ts';
import { atOneMoment, type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
const clients: SupabaseClient[] = [];

beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.removeAllChannels()));
});

function clientOf(vsn: string): SupabaseClient {
  const client = createClient(server.url, server.context.keys.anonKey, {
    auth: { persistSession: false },
    realtime: { transport: ws as never, vsn },
  });
  clients.push(client);
  return client;
}

type Config = NonNullable<Parameters<SupabaseClient['channel']>[1]>['config'];
interface Message {
  event: string;
  payload?: unknown;
}

async function member(
  vsn: string,
  room: string,
  config: Config = {},
): Promise<{ channel: RealtimeChannel; heard: Queue<Message> }> {
  const channel = clientOf(vsn).channel(room, { config });
  const heard = queue<Message>();
  channel.on('broadcast', { event: '*' }, ({ event, payload }) => heard.push({ event, payload }));
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => (status === 'SUBSCRIBED' ? resolve() : reject(error)));
  });
  return { channel, heard };
}

const versions = ['1.0.0', '2.0.0'];
const pairs = versions.flatMap((from) => versions.map((to) => [from, to] as const));

describe('a broadcast', () => {
  it.each(pairs)('from protocol version %s reaches subscribers on version %s', async (from, to) => {
    const room = crypto.randomUUID();
    const [sender, other, elsewhere] = [
      await member(from, room),
      await member(to, room),
      await member(to, `${room} 2`),
    ];
    await sender.channel.send({
      type: 'broadcast',
      event: 'hi',
      payload: { text: 'é\u2028', n: 1 },
    });
    expect(await other.heard.next()).toEqual({ event: 'hi', payload: { text: 'é\u2028', n: 1 } });
    await other.channel.send({ type: 'broadcast', event: 'back', payload: { n: 2 } });
    expect(await sender.heard.next()).toEqual({ event: 'back', payload: { n: 2 } });
    expect(elsewhere.heard.length).toBe(0);
  });

  it.each(versions)('is echoed to its sender and acknowledged on request (%s)', async (vsn) => {
    const { channel, heard } = await member(vsn, crypto.randomUUID(), {
      broadcast: { self: true, ack: true },
    });
    expect(await channel.send({ type: 'broadcast', event: 'me', payload: { n: 1 } })).toBe('ok');
    expect(await heard.next()).toEqual({ event: 'me', payload: { n: 1 } });
  });

  it('can contain raw bytes', async () => {
    const room = crypto.randomUUID();
    const [sender, other] = [await member('2.0.0', room), await member('2.0.0', room)];
    const bytes = new Uint8Array([0, 255, 1, 254]);
    await sender.channel.send({ type: 'broadcast', event: 'raw', payload: bytes.buffer });
    const { payload } = await other.heard.next();
    expect(new Uint8Array(payload as ArrayBuffer)).toEqual(bytes);
  });

  it('can be sent over HTTP', async () => {
    const room = `${crypto.randomUUID()} / ü`;
    const { heard } = await member('2.0.0', room);
    const outside = clientOf('2.0.0').channel(room);
    expect(await outside.httpSend('one', { n: 1 })).toEqual({ success: true });
    expect(await heard.next()).toEqual({ event: 'one', payload: { n: 1 } });
    expect(await outside.send({ type: 'broadcast', event: 'two', payload: { n: 2 } })).toBe('ok');
    expect(await heard.next()).toEqual({ event: 'two', payload: { n: 2 } });
  });

  it('over HTTP is rejected without a token or with an invalid body', async () => {
    const url = `${server.url}/realtime/v1/api/broadcast`;
    const post = async (body: string, token?: string): Promise<[number, unknown]> => {
      const headers = {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      const response = await fetch(url, { method: 'POST', headers, body });
      return [response.status, await response.json()];
    };
    const { anonKey } = server.context.keys;
    expect(await post('{"messages":[]}')).toEqual([401, { message: 'Unauthorized' }]);
    expect(await post('{"messages":[]}', 'nonsense')).toEqual([401, { message: 'Unauthorized' }]);
    const bad: [body: string, status: number][] = [
      ['{"messages":1}', 422],
      ['{"messages":[{"topic":""}]}', 422],
      ['[]', 422],
      ['{', 400],
      [`{"messages":"${'x'.repeat(3_200_000)}"}`, 413],
    ];
    for (const [body, status] of bad) {
      const [got, answer] = await post(body, anonKey);
      expect(got).toBe(status);
      expect(answer).toMatchObject({ message: expect.any(String) });
    }
  });
});

describe('the message rate limit', () => {
  it('rejects broadcasts over HTTP for a moment', async () => {
    const token = await server.context.keys.sign({
      ...{ sub: crypto.randomUUID(), role: 'authenticated' },
      exp: Math.floor(Date.now() / 1000) + 600,
    });
    const messages = Array.from({ length: 100 }, () => ({ topic: 'x', event: 'y', payload: {} }));
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const response = await fetch(`${server.url}/realtime/v1/api/broadcast`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ messages }),
        });
        return response.status;
      }),
    );
    expect(statuses).toContain(202);
    expect(statuses).toContain(429);
  });

  it('closes the channel with a reason and keeps the socket open', async () => {
    const { frames, send, socket } = await rawSocket(server);
    send(['1', '1', 'realtime:much', 'phx_join', { config: {} }]);
    await frames.next();
    await atOneMoment(server, async () => {
      for (let n = 0; n <= 1_000; n += 1) {
        send(['1', '2', 'realtime:much', 'broadcast', { event: 'n', payload: { n } }]);
      }
      expect(await frames.next()).toMatchObject({
        ...['1', null, 'realtime:much', 'system'],
        4: { status: 'error', extension: 'system', message: 'Too many messages per second' },
      });
    });
    expect(await frames.next()).toEqual(['1', '1', 'realtime:much', 'phx_close', {}]);
    socket.terminate();
  });
});

describe('presence', () => {
  it('reports who is present, joins and leaves', async () => {
    const room = crypto.randomUUID();
    const watch = (channel: RealtimeChannel): Queue<string[]> => {
      const seen = queue<string[]>();
      channel.on('presence', { event: 'sync' }, () =>
        seen.push(Object.keys(channel.presenceState()).sort()),
      );
      return seen;
    };
    const present = async (key: string) => {
      const channel = clientOf('2.0.0').channel(room, { config: { presence: { key } } });
      const seen = watch(channel);
      await new Promise<void>((resolve) => {
        channel.subscribe((status) => status === 'SUBSCRIBED' && resolve());
      });
      return { channel, seen };
    };
    const one = await present('one');
    expect(await one.seen.next()).toEqual([]);
    expect(await one.channel.track({ name: 'One' })).toBe('ok');
    expect(await one.seen.next()).toEqual(['one']);

    const two = await present('two');
    expect(await two.seen.next()).toEqual(['one']);
    await two.channel.track({ name: 'Two' });
    expect(await one.seen.next()).toEqual(['one', 'two']);
    expect(one.channel.presenceState()).toMatchObject({ two: [{ name: 'Two' }] });
    await two.channel.untrack();
    expect(await one.seen.next()).toEqual(['one']);
    await two.channel.track({ name: 'Two' });
    expect(await one.seen.next()).toEqual(['one', 'two']);
    await two.channel.unsubscribe();
    expect(await one.seen.next()).toEqual(['one']);
  });

  it('replaces the state of a member', async () => {
    const { frames, send, socket } = await rawSocket(server);
    send(['1', '1', 'realtime:p', 'phx_join', { config: { presence: { key: '__proto__' } } }]);
    await frames.next();
    const ref = expect.any(String);
    send(['1', '2', 'realtime:p', 'presence', { event: 'track', payload: { at: 1 } }]);
    expect(await frames.next()).toMatchObject({ 3: 'presence_state', 4: {} });
    const { 4: first } = Object(await frames.next());
    expect(JSON.stringify(first)).toContain('"joins":{"__proto__":{"metas":[{"at":1');
    expect(await frames.next()).toMatchObject({ 3: 'phx_reply', 4: { status: 'ok' } });
    send(['1', '3', 'realtime:p', 'presence', { event: 'track', payload: { at: 2 } }]);
    const diff = Object(await frames.next())[4];
    const metaOf = (state: object): unknown => Object.values(state)[0];
    expect(metaOf(diff.joins)).toEqual({ metas: [{ at: 2, phx_ref: ref, phx_ref_prev: ref }] });
    expect(metaOf(diff.leaves)).toEqual({ metas: [{ at: 1, phx_ref: ref }] });
    socket.terminate();
  });

  it('accepts only an object', async () => {
    const { frames, send, socket } = await rawSocket(server);
    send(['1', '1', 'realtime:p', 'phx_join', { config: {} }]);
    await frames.next();
    send(['1', '2', 'realtime:p', 'presence', { event: 'track', payload: [1] }]);
    expect(await frames.next()).toMatchObject({
      4: { status: 'error', response: { reason: 'Presence track payload must be a map' } },
    });
    socket.terminate();
  });
});
