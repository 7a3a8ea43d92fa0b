// Two server processes on one database share broadcasts and presence.
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Queue, queue, subscribed } from '#tests/support/realtime.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

const JWT_SECRET = 'a secret of two processes, long enough for anyone';
let [one, two]: TestServer[] = [];

beforeAll(async () => {
  one = await testServer({ JWT_SECRET });
  two = await testServer({ JWT_SECRET, DATABASE_URL: one.database.url });
});

interface Member {
  client: SupabaseClient;
  channel: RealtimeChannel;
  heard: Queue<unknown>;
  /** Presence keys, recorded at each change. */
  present: Queue<string[]>;
}

async function member(server: TestServer | undefined, room: string, key = ''): Promise<Member> {
  const client = server?.client();
  if (client === undefined) throw new Error('The servers are not there.');
  const channel = client.channel(room, {
    config: { broadcast: { replication_ready: true }, presence: { key } },
  });
  const [heard, present, system] = [queue<unknown>(), queue<string[]>(), queue<unknown>()];
  channel.on('broadcast', { event: '*' }, ({ payload }) => heard.push(payload));
  channel.on('presence', { event: 'sync' }, () =>
    present.push(Object.keys(channel.presenceState()).sort()),
  );
  channel.on('system', {}, (message) => system.push(message));
  channel.subscribe();
  expect(await system.next()).toMatchObject({ message: 'Replication connection established' });
  return { client, channel, heard, present };
}

describe('a broadcast', () => {
  it('reaches subscribers on the other process, once and in order', async () => {
    const [here, there] = [await member(one, 'hall'), await member(two, 'hall')];
    const big = 'x'.repeat(100_000);
    for (let n = 0; n < 20; n += 1) {
      await here.channel.send({ type: 'broadcast', event: 'n', payload: { n, big } });
    }
    for (let n = 0; n < 20; n += 1) expect(await there.heard.next()).toEqual({ n, big });
    await there.channel.send({ type: 'broadcast', event: 'back', payload: { ok: true } });
    expect(await here.heard.next()).toEqual({ ok: true });
    expect(there.heard.length).toBe(0);
  });

  it('over HTTP can be sent to a process without subscribers', async () => {
    const quiet = await testServer({ JWT_SECRET, DATABASE_URL: one?.database.url ?? '' });
    const there = await member(two, 'hall 2');
    await quiet.client().channel('hall 2').httpSend('x', { from: 'quiet' });
    expect(await there.heard.next()).toEqual({ from: 'quiet' });
  });

  it('from the database reaches both processes once', async () => {
    const [here, there] = [await member(one, 'hall 3'), await member(two, 'hall 3')];
    for (const n of [1, 2]) {
      await one?.database.owner.query(`select realtime.send($1, 'n', 'hall 3', false)`, [{ n }]);
    }
    for (const { heard } of [here, there]) {
      expect(await heard.next()).toMatchObject({ n: 1 });
      expect(await heard.next()).toMatchObject({ n: 2 });
    }
  });
});

describe('presence', () => {
  it('is shared by both processes, including for late joiners and after a process exits', async () => {
    const here = await member(one, 'desk', 'anna');
    expect(await here.present.next()).toEqual([]);
    await here.channel.track({ at: 'one' });
    expect(await here.present.next()).toEqual(['anna']);

    const third = await testServer({ JWT_SECRET, DATABASE_URL: one?.database.url ?? '' });
    const there = await member(third, 'desk', 'bella');
    await expect.poll(() => Object.keys(there.channel.presenceState())).toEqual(['anna']);
    await there.channel.track({ at: 'third' });
    expect(await here.present.next()).toEqual(['anna', 'bella']);
    expect(here.channel.presenceState()).toMatchObject({ bella: [{ at: 'third' }] });
    await here.channel.untrack();
    await expect.poll(() => Object.keys(there.channel.presenceState())).toEqual(['bella']);
    await here.channel.track({ at: 'one' });
    await expect.poll(() => Object.keys(there.channel.presenceState())).toHaveLength(2);

    await third.stop();
    await expect.poll(() => Object.keys(here.channel.presenceState())).toEqual(['anna']);
  });
});

describe('changes', () => {
  it('are sent by each process to its own subscribers', async () => {
    const { owner } = one?.database ?? {};
    await owner?.query(`
      create table public.ping (id int primary key);
      grant select on public.ping to anon;
      alter publication supabase_realtime add table public.ping;`);
    if (one === undefined || two === undefined) throw new Error('The servers are not there.');
    const heard = [
      await subscribed(one.client(), { table: 'ping' }),
      await subscribed(two.client(), { table: 'ping' }),
    ];
    await owner?.query('insert into public.ping values (1), (2)');
    for (const { next } of heard) {
      expect((await next()).new).toEqual({ id: 1 });
      expect((await next()).new).toEqual({ id: 2 });
    }
  });
});
