// Broadcast from the database: rows of realtime.messages are sent, replayed to later joiners, and deleted.
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, it } from 'vitest';
import ws from 'ws';
import { rawSocket } from '#tests/support/raw-socket.ts';
import { type Queue, queue, userClient } from '#tests/support/realtime.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
const MEMBER = crypto.randomUUID();

beforeAll(async () => {
  server = await testServer();
  await server.database.owner.query(`
    create policy "Members hear rooms" on realtime.messages for select to authenticated
      using (realtime.topic() like 'room%');
    create table public.thing (id int primary key, name text);
    create function public.tell() returns trigger language plpgsql security definer as $$
    begin
      perform realtime.broadcast_changes('room things', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
      return null;
    end $$;
    create trigger tell after insert or update or delete on public.thing for each row execute function public.tell();`);
});

type Config = NonNullable<Parameters<SupabaseClient['channel']>[1]>['config'];
type Heard = { event: string; payload?: unknown; meta?: unknown };

/** Joins, and resolves when broadcasts from the database arrive. */
async function listen(
  client: SupabaseClient,
  room: string,
  config: Config = { private: true },
): Promise<{ channel: RealtimeChannel; heard: Queue<Heard> }> {
  const broadcast = { ...config.broadcast, replication_ready: true };
  const channel = client.channel(room, { config: { ...config, broadcast } });
  const heard = queue<Heard>();
  const system = queue<{ message: string }>();
  channel.on('broadcast', { event: '*' }, ({ event, payload, meta }) =>
    heard.push({ event, payload, meta }),
  );
  channel.on('system', {}, (message: { message: string }) => system.push(message));
  channel.subscribe();
  expect(await system.next()).toMatchObject({ message: 'Replication connection established' });
  return { channel, heard };
}

const send = (payload: object, room: string, isPrivate = true) =>
  server.database.owner.query('select realtime.send($1, $2, $3, $4)', [
    ...[payload, 'news', room, isPrivate],
  ]);

const id = expect.any(String);

describe('a message sent by the database', () => {
  it.each(['1.0.0', '2.0.0'])('reaches who is on its topic, version %s', async (vsn) => {
    const client = createClient(server.url, server.context.keys.anonKey, {
      realtime: { transport: ws as never, vsn },
    });
    const exp = Math.floor(Date.now() / 1000) + 600;
    const token = await server.context.keys.sign({ sub: MEMBER, role: 'authenticated', exp });
    await client.realtime.setAuth(token);
    const { heard } = await listen(client, 'room 1');
    const open = await listen(client, 'open', {});
    await send({ text: 'é' }, 'room 1');
    await send({ text: 'public' }, 'open', false);
    const first = await heard.next();
    expect(first).toEqual({ event: 'news', payload: { text: 'é', id }, meta: { id } });
    expect(await open.heard.next()).toMatchObject({ payload: { text: 'public' } });
    await client.removeAllChannels();
  });

  it('stays within its private or public channel, and is dropped when its transaction is rolled back', async () => {
    const client = await userClient(server, MEMBER);
    const inside = await listen(client, 'room 2');
    const outside = await listen(server.client(), 'room 2', {});
    await send({ for: 'public' }, 'room 2', false);
    await server.database.owner.query(
      `do $$ begin perform realtime.send('{"for":"nobody"}', 'news', 'room 2'); raise 'no'; exception when others then end $$`,
    );
    await send({ for: 'private' }, 'room 2');
    expect(await inside.heard.next()).toMatchObject({ payload: { for: 'private' } });
    expect(await outside.heard.next()).toMatchObject({ payload: { for: 'public' } });
    expect(inside.heard.length + outside.heard.length).toBe(0);
  });

  it('can be raw bytes', async () => {
    const { heard } = await listen(await userClient(server, MEMBER), 'room 3');
    await server.database.owner.query(
      `select realtime.send_binary('\\x00ff7b', 'bytes', 'room 3')`,
    );
    const { event, payload } = await heard.next();
    expect(event).toBe('bytes');
    expect(Buffer.from(payload as ArrayBuffer)).toEqual(Buffer.from([0, 255, 0x7b]));
  });

  it('can describe a changed row', async () => {
    const { heard } = await listen(await userClient(server, MEMBER), 'room things');
    const { owner } = server.database;
    await owner.query(`insert into public.thing values (1, 'a')`);
    await owner.query(`update public.thing set name = 'b'`);
    const base = { schema: 'public', table: 'thing', id };
    expect(await heard.next()).toMatchObject({
      event: 'INSERT',
      payload: { ...base, operation: 'INSERT', record: { id: 1, name: 'a' }, old_record: null },
    });
    expect(await heard.next()).toMatchObject({
      event: 'UPDATE',
      payload: { ...base, record: { name: 'b' }, old_record: { name: 'a' } },
    });
  });
});

describe('stored messages', () => {
  it('are replayed to a later joiner of a private channel: the newest ones, oldest first', async () => {
    const from = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const client = await userClient(server, MEMBER);
    const earlier = await listen(client, 'room 4');
    await server.database.owner.query(
      `insert into realtime.messages (topic, extension, event, payload, private, inserted_at)
       values ('room 4', 'broadcast', 'news', '{"n":"old"}', true, (now() at time zone 'utc') - interval '73 hours')`,
    );
    for (let n = 1; n <= 30; n += 1) await send({ n }, 'room 4');
    await send({ n: 'public' }, 'room 4', false);
    // All are delivered before anybody joins later, who would otherwise get some of them a second time.
    for (const n of ['old', ...from(1, 30)])
      expect(await earlier.heard.next()).toMatchObject({ payload: { n } });
    await client.removeChannel(earlier.channel);
    const replayed = async (replay: { since: number; limit?: number }, count: number) => {
      const { heard, channel } = await listen(client, 'room 4', {
        private: true,
        broadcast: { replay },
      });
      const rows: unknown[] = [];
      while (rows.length < count) {
        const { payload, meta } = await heard.next();
        expect(meta).toEqual({ replayed: true, id });
        rows.push(Object(payload).n);
      }
      await send({ n: 'end' }, 'room 4');
      expect(await heard.next()).toMatchObject({ payload: { n: 'end' }, meta: { id } });
      await client.removeChannel(channel);
      return rows;
    };
    expect(await replayed({ since: 0 }, 25)).toEqual(from(6, 30));
    expect(await replayed({ since: 0, limit: 2 }, 2)).toEqual([30, 'end']);
    expect(await replayed({ since: Date.now() + 60_000 }, 0)).toEqual([]);
  });

  it('are not replayed if the request is invalid', async () => {
    const { frames, send: say, socket } = await rawSocket(server);
    const cases: [config: object, reason: string][] = [
      [{ broadcast: { replay: { since: 1 } } }, 'Replay is not allowed for public channels'],
      [{ private: true, broadcast: { replay: { since: 'x' } } }, 'Replay params are not valid'],
      [{ private: true, broadcast: { replay: { since: 1, limit: 26 } } }, 'Replay params are not'],
    ];
    for (const [config, reason] of cases) {
      say(['1', '1', 'realtime:room 5', 'phx_join', { config }]);
      expect(await frames.next()).toMatchObject({
        4: { response: { reason: expect.stringContaining(`UnableToReplayMessages: ${reason}`) } },
      });
    }
    socket.terminate();
  });

  it('have a partition per coming day, and are deleted after 72 hours', async () => {
    const { owner } = server.database;
    await owner.query(`
      create table realtime.messages_2020_01_01 partition of realtime.messages
        for values from ('2020-01-01') to ('2020-01-02');
      insert into realtime.messages (topic, extension, inserted_at) values ('x', 'broadcast', '2020-01-01 12:00');`);
    await Promise.all([1, 2, 3].map(() => owner.query('select realtime.maintain_partitions()')));
    await owner.query('select realtime.maintain_partitions()');
    const { rows } = await owner.query(
      `select min(inserted_at) > (now() at time zone 'utc') - interval '72 hours' as fresh,
         to_regclass('realtime.messages_2020_01_01') is null as dropped,
         (select count(*)::int from pg_inherits where inhparent = 'realtime.messages'::regclass) as parts
       from realtime.messages`,
    );
    expect(rows).toEqual([{ fresh: true, dropped: true, parts: 4 }]);
    const open = await owner.query(
      `select c.relname from pg_class c where relnamespace = 'realtime'::regnamespace and relkind in ('r', 'p')
       and (not relrowsecurity or relname <> 'messages' and has_table_privilege('authenticated', c.oid, 'select'))`,
    );
    expect(open.rows).toEqual([]);
  });
});
