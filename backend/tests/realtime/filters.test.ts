// Filters and other options of a postgres_changes binding.
import { beforeAll, describe, expect, it } from 'vitest';
import { listener, subscribed, userClient } from '#tests/support/realtime.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer();
  await server.database.owner.query(`
    create type public.mood as enum ('calm', 'busy');
    create table public.item (
      id int primary key, name text, price numeric, mood public.mood, at timestamptz, owner uuid, ok boolean, secret text
    );
    revoke select on public.item from authenticated;
    grant select (id, name, price, mood, at, owner, ok) on public.item to authenticated;
    alter publication supabase_realtime add table public.item;`);
});

const OWNER = '0b1c2d3e-0000-4000-8000-00000000000a';
const rows = [
  `(1, 'tea', 1.50, 'calm', '2026-01-01Z', '${OWNER}', true, 'x')`,
  `(2, 'tea, green', 10, 'busy', '2026-02-01Z', null, false, 'x')`,
  `(3, 'Coffee', 9.99, null, '2026-03-01Z', '${crypto.randomUUID()}', null, 'y')`,
  `(4, null, null, 'calm', null, null, true, 'y')`,
];

const table: [filter: string, ids: number[]][] = [
  ['', [1, 2, 3, 4]],
  ['   ', [1, 2, 3, 4]],
  ['id=eq.2', [2]],
  ['id=neq.2', [1, 3, 4]],
  ['id=not.eq.2', [1, 3, 4]],
  ['id=in.(1,3)', [1, 3]],
  ['id=not.in.(1,3)', [2, 4]],
  ['id=gt.1,id=lte.3', [2, 3]],
  ['price=eq.1.5', [1]],
  ['price=lt.9.999', [1, 3]],
  ['price=gte.9.99', [2, 3]],
  ['name=eq.tea', [1]],
  ['name=neq.tea', [2, 3]],
  ['name=eq."tea, green"', [2]],
  ['name=in.("tea, green",Coffee)', [2, 3]],
  ['name=like.tea%', [1, 2]],
  ['name=ilike.%COFF%', [3]],
  ['name=not.like.tea%', [3]],
  ['name=match.^t', [1, 2]],
  ['name=imatch.^c', [3]],
  ['name=is.null', [4]],
  ['name=not.is.null', [1, 2, 3]],
  ['name=isdistinct.tea', [2, 3, 4]],
  ['mood=eq.calm', [1, 4]],
  ['mood=gt.calm', [2]],
  ['at=gte.2026-02-01T00:00:00Z', [2, 3]],
  [`owner=eq.${OWNER.toUpperCase()}`, [1]],
  ['ok=eq.true', [1, 4]],
  ['ok=is.false', [2]],
];

describe('a filter', () => {
  it('passes exactly the matching rows', async () => {
    const client = await userClient(server, crypto.randomUUID());
    const heard = await subscribed(client, ...table.map(([filter]) => ({ table: 'item', filter })));
    // The bindings share a channel: the ids in each message show which of them matched.
    const separate = await Promise.all(
      table.map(async ([filter]) => subscribed(client, { table: 'item', filter })),
    );
    await server.database.owner.query(`insert into public.item values ${rows.join(', ')}`);
    for (const [i, [filter, ids]] of table.entries()) {
      const got = [];
      for (const _ of ids) got.push((await separate[i]?.next())?.new);
      expect({ filter, got }).toMatchObject({ filter, got: ids.map((id) => ({ id })) });
    }
    await server.client().removeChannel(heard.channel);
  });

  it('for an id passes the rows of that id, and deletions that don’t say whose they were', async () => {
    const client = await userClient(server, crypto.randomUUID());
    const [mine, theirs] = [crypto.randomUUID(), crypto.randomUUID()];
    const wanted = (owner: string) => ({ table: 'item', filter: `owner=eq.${owner}` });
    const first = await subscribed(client, wanted(mine));
    const second = await subscribed(client, wanted(theirs));
    const { owner } = server.database;
    await owner.query('insert into public.item (id, owner) values (20, $1)', [mine]);
    await owner.query('insert into public.item (id, owner) values (21, $1), (22, null)', [theirs]);
    await owner.query('update public.item set owner = $1 where id = 20', [theirs]);
    await owner.query('delete from public.item where id in (20, 22)');
    const ids = async ({ next }: typeof first, count: number) => {
      const heard = [];
      for (let i = 0; i < count; i += 1) {
        const { eventType, new: row, old } = await next();
        heard.push([eventType, Reflect.get({ ...old, ...row }, 'id')]);
      }
      return heard;
    };
    const deletions = [
      ['DELETE', 20],
      ['DELETE', 22],
    ];
    expect(await ids(first, 3)).toEqual([['INSERT', 20], ...deletions]);
    expect(await ids(second, 4)).toEqual([['INSERT', 21], ['UPDATE', 20], ...deletions]);

    await client.removeChannel(first.channel);
    await owner.query('insert into public.item (id, owner) values (23, $1), (24, $2)', [
      mine,
      theirs,
    ]);
    expect(await ids(second, 1)).toEqual([['INSERT', 24]]);
    expect([first.changes.length, second.changes.length]).toEqual([0, 0]);
  });

  const bad: [filter: string, message: string][] = [
    ['id=foo.1', 'Error parsing `filter` params: ["foo","1"]'],
    ['undefined', 'Error parsing `filter` params: ["undefined"]'],
    ['id=in.1', 'Error parsing `filter` params: `in` filter value must be wrapped by parentheses'],
    ['nowhere=eq.1', 'invalid column for filter nowhere'],
    ['id=eq.one', 'invalid input syntax for type integer: "one"'],
    ['owner=eq.one', 'invalid input syntax for type uuid: "one"'],
    ['name=match.(', 'invalid regular expression'],
    [String.raw`name=match.(.*)\1`, 'invalid regular expression: back-references are not allowed'],
    ['name=eq.\u0000', 'may not hold a NUL character'],
  ];
  it.each(bad)('that is invalid is reported: %s', async (filter, message) => {
    const client = await userClient(server, crypto.randomUUID());
    const heard = listener(client, { table: 'item', filter });
    expect(await heard.statuses.next()).toEqual({ status: 'SUBSCRIBED', error: undefined });
    expect(await heard.system.next()).toMatchObject({
      status: 'error',
      extension: 'postgres_changes',
      message: expect.stringContaining(message),
    });
  });

  // PostgreSQL then has a plan for any pattern, and doesn't look at the pattern when it plans.
  it('with an invalid pattern is reported after many valid ones', async () => {
    const client = await userClient(server, crypto.randomUUID());
    for (let count = 0; count < 10; count += 1) {
      const { channel } = await subscribed(client, { table: 'item', filter: 'name=match.a' });
      await client.removeChannel(channel);
    }
    const heard = listener(client, { table: 'item', filter: 'name=match.(' });
    expect(await heard.system.next()).toMatchObject({
      status: 'error',
      message: expect.stringContaining('invalid regular expression'),
    });
  });
});

describe('a binding', () => {
  it('receives only its events and schema', async () => {
    const { owner } = server.database;
    await owner.query(`
      create schema other; grant usage on schema other to authenticated;
      create table other."Odd Name" (id int primary key, "Two Words" text);
      grant select on other."Odd Name" to authenticated;
      alter publication supabase_realtime add table other."Odd Name";`);
    const client = await userClient(server, crypto.randomUUID());
    const updates = await subscribed(client, {
      event: 'UPDATE',
      schema: 'other',
      table: 'Odd Name',
    });
    const all = await subscribed(client, { schema: 'other' });
    await owner.query(`insert into other."Odd Name" values (1, 'a')`);
    expect(await all.next()).toMatchObject({ eventType: 'INSERT', schema: 'other' });
    await owner.query(`update other."Odd Name" set "Two Words" = 'b'`);
    expect(await updates.next()).toMatchObject({ eventType: 'UPDATE', new: { 'Two Words': 'b' } });
    await owner.query('delete from other."Odd Name"');
    await owner.query(`insert into other."Odd Name" values (2, 'c')`);
    await owner.query(`update other."Odd Name" set "Two Words" = 'd'`);
    expect(await updates.next()).toMatchObject({ eventType: 'UPDATE', new: { id: 2 } });
  });

  it("receives no column that its role can't read, and can't filter by it", async () => {
    const client = await userClient(server, crypto.randomUUID());
    const plain = await subscribed(client, { table: 'item' });
    const peeking = listener(client, { table: 'item', filter: 'secret=eq.z' });
    await peeking.system.next();
    const service = server.client(server.context.keys.serviceKey);
    const trusted = await subscribed(service, { table: 'item', filter: 'secret=eq.z' });
    await server.database.owner.query(`insert into public.item (id, secret) values (10, 'z')`);
    expect((await trusted.next()).new).toMatchObject({ id: 10, secret: 'z' });
    expect((await plain.next()).new).not.toHaveProperty('secret');
    // It joins again with a valid filter: the first event is a later row.
    const allowed = await subscribed(client, { table: 'item', filter: 'id=eq.11' });
    await server.database.owner.query(`insert into public.item (id, secret) values (11, 'z')`);
    expect((await allowed.next()).new).toMatchObject({ id: 11 });
    expect(peeking.changes.length).toBe(0);
  });
});
