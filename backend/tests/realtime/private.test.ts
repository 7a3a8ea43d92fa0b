// Private channels: the policies of realtime.messages decide who can join, send and see presence.
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Queue, queue, userClient } from '#tests/support/realtime.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
const [SPEAKER, LISTENER, OUTSIDER] = [1, 2, 3].map(() => crypto.randomUUID()) as [
  string,
  string,
  string,
];

async function enter(
  client: SupabaseClient,
  room: string,
  isPrivate = true,
): Promise<{ channel: RealtimeChannel; heard: Queue<unknown>; outcome: string }> {
  const channel = client.channel(room, {
    config: { private: isPrivate, broadcast: { self: true } },
  });
  const heard = queue<unknown>();
  channel.on('broadcast', { event: '*' }, ({ payload }) => heard.push(payload));
  const outcome = await new Promise<string>((resolve) => {
    channel.subscribe((status, error) => resolve(`${status}: ${error?.message ?? ''}`));
  });
  return { channel, heard, outcome };
}

const refused = (room: string): string =>
  `CHANNEL_ERROR: Unauthorized: You do not have permissions to read from this Channel topic: ${room}`;

beforeAll(async () => {
  server = await testServer();
});

describe('a private channel', () => {
  it('without a policy is closed to everyone', async () => {
    const user = await userClient(server, SPEAKER);
    expect((await enter(user, 'closed')).outcome).toBe(refused('closed'));
    expect((await enter(server.client(), 'closed')).outcome).toBe(refused('closed'));
    await Promise.all([user.removeAllChannels()]);
  });

  it('is open to the roles and operations of its policies', async () => {
    const quoted = (...users: string[]): string => users.map((user) => `'${user}'`).join(', ');
    await server.database.owner.query(`
      create policy "Members hear the room" on realtime.messages for select to authenticated
        using (realtime.topic() like 'room%' and (select auth.uid()) in (${quoted(SPEAKER, LISTENER)}));
      create policy "The speaker speaks" on realtime.messages for insert to authenticated
        with check (realtime.topic() like 'room%' and extension = 'broadcast' and auth.uid() = '${SPEAKER}');`);
    const [speaking, listening] = [
      await userClient(server, SPEAKER),
      await userClient(server, LISTENER),
    ];
    const speaker = await enter(speaking, 'room 1');
    const listener = await enter(listening, 'room 1');
    expect([speaker.outcome, listener.outcome]).toEqual(['SUBSCRIBED: ', 'SUBSCRIBED: ']);
    expect((await enter(await userClient(server, OUTSIDER), 'room 1')).outcome).toBe(
      refused('room 1'),
    );
    expect((await enter(speaking, 'other')).outcome).toBe(refused('other'));
    const outside = await enter(await userClient(server, OUTSIDER), 'room 1', false);

    await listener.channel.send({ type: 'broadcast', event: 'x', payload: { from: 'listener' } });
    await listening
      .channel('room 1', { config: { private: true } })
      .httpSend('x', { from: 'http' });
    await speaker.channel.send({ type: 'broadcast', event: 'x', payload: { from: 'speaker' } });
    expect(await listener.heard.next()).toEqual({ from: 'speaker' });
    expect(await speaker.heard.next()).toEqual({ from: 'speaker' });
    expect(await speaker.channel.track({ here: true })).toBe('error');

    // The public channel of the same name is a different channel.
    await outside.channel.send({ type: 'broadcast', event: 'x', payload: { from: 'outside' } });
    expect(await outside.heard.next()).toEqual({ from: 'outside' });
    await speaker.channel.send({ type: 'broadcast', event: 'x', payload: { from: 'speaker 2' } });
    expect(await listener.heard.next()).toEqual({ from: 'speaker 2' });
    expect(outside.heard.length).toBe(0);
  });

  it('is closed by a new token without access, and stays open with another valid one', async () => {
    const client = await userClient(server, LISTENER);
    const { channel, outcome } = await enter(client, 'room 2');
    expect(outcome).toBe('SUBSCRIBED: ');
    const told = queue<{ message: string }>();
    channel.on('system', {}, (message: { message: string }) => told.push(message));
    const token = (sub: string) =>
      server.context.keys.sign({
        ...{ sub, role: 'authenticated' },
        exp: Math.floor(Date.now() / 1000) + 600,
      });
    await client.realtime.setAuth(await token(SPEAKER));
    expect(await channel.send({ type: 'broadcast', event: 'x', payload: {} })).toBe('ok');
    await client.realtime.setAuth(await token(OUTSIDER));
    expect(await told.next()).toMatchObject({
      message: expect.stringContaining('You do not have permissions to read'),
    });
    await expect.poll(() => channel.state).toBe('closed');
  });

  it('leaves no rows from its permission checks', async () => {
    const { rows } = await server.database.owner.query('select * from realtime.messages');
    expect(rows).toEqual([]);
  });
});

describe('the database', () => {
  it('has the broadcast functions of a Supabase project', async () => {
    const { owner } = server.database;
    await owner.query(`
      create table public.thing (id int primary key);
      create function public.tell() returns trigger language plpgsql as $$
      begin
        perform realtime.broadcast_changes('things', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
        return null;
      end $$;
      create trigger tell after insert or delete on public.thing for each row execute function public.tell();
      insert into public.thing values (1);
      delete from public.thing;`);
    const { rows } = await owner.query(
      `select topic, event, private, extension, payload - 'id' as payload from realtime.messages order by event desc`,
    );
    const base = { schema: 'public', table: 'thing' };
    expect(rows).toEqual([
      {
        ...{ topic: 'things', event: 'INSERT', private: true, extension: 'broadcast' },
        payload: { ...base, operation: 'INSERT', record: { id: 1 }, old_record: null },
      },
      {
        ...{ topic: 'things', event: 'DELETE', private: true, extension: 'broadcast' },
        payload: { ...base, operation: 'DELETE', record: null, old_record: { id: 1 } },
      },
    ]);
  });
});
