// Rows that Node writes as JSON, against the same rows with a count, whose JSON PostgreSQL builds.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '#backend/database/exchange.ts';
import { createFilms } from '#tests/support/films.ts';
import { type Rest, restOf } from '#tests/support/rest.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
let rest: Rest;

beforeAll(async () => {
  server = await testServer();
  rest = restOf(server);
  await createFilms(server.database.owner);
  await server.database.owner.query(`
    create domain public.score as numeric(6,2);
    create table public.samples (
      id int primary key, "the ""odd"" \\ näme" text, flag boolean, small smallint, big bigint, ratio real, exact_ratio double precision,
      amount numeric, score public.score, code character(4), word character varying(20), day date, hour time, local_time timestamp,
      moment timestamptz(3), key uuid, doc json, docb jsonb, raw bytea, film_id int references public.films (id));
    insert into public.samples values
      (1, e'"quoted" \\\\ \\b\\f\\n\\r\\t\\x01\\x1f\\x7f ünï 𝄞', true, -1, 9007199254740993, 1.5e-10, 'NaN', 12.50, 'NaN', 'ab', '', '2026-02-28',
        '23:59:59.5', '2026-01-05 06:00:00', '2026-01-05 06:00:00.125+00', '00000000-0000-4000-8000-000000000001', e'{"a" :\\n 1}', '{"b":[1]}',
        '\\xdeadbeef', 1),
      (2, null, false, null, null, '-Infinity', '1e300', '-Infinity', 0, null, null, '-infinity', null, 'infinity', '-infinity', null, 'null',
        'null', null, null),
      (3, '', null, 0, -1, 0, -0.5, -7, null, '', ' ', '0044-03-15 BC', '24:00', '0044-03-15 00:00:00.000001 BC', '0044-03-15 12:00:00+00 BC',
        null, '"x"', '"x"', '', 2),
      (4, repeat('long ', 40), null, null, null, null, null, null, null, null, null, '12026-01-01', null, '12026-01-01 10:00', '12026-01-01 10:00+00',
        null, null, null, null, 1),
      (5, 'before time zones', null, null, null, null, null, null, null, null, null, null, null, null, '1880-06-01 12:00:00+00', null, null, null,
        null, null);
    grant select on public.samples to anon`);
});

type Headers = Record<string, string>;

async function bodies(path: string, headers: Headers = {}): Promise<{ node: string; sql: string }> {
  const prefer = [headers.prefer, 'count=exact'].filter((one) => one !== undefined).join(', ');
  const [node, sql] = await Promise.all([
    rest('GET', path, { headers }),
    rest('GET', path, { headers: { ...headers, prefer } }),
  ]);
  expect([node.status, node.headers.get('content-type')]).toEqual([
    200,
    sql.headers.get('content-type'),
  ]);
  return { node: node.text, sql: sql.text };
}

async function sentFor(path: string): Promise<string[]> {
  const { callers } = server.context.database;
  const runAll = callers.runAll.bind(callers);
  const sent: Statement[] = [];
  callers.runAll = (caller, statements, options) => {
    sent.push(...statements);
    return runAll(caller, statements, options);
  };
  await rest('GET', path).finally(() => {
    callers.runAll = runAll;
  });
  return sent.map(({ text }) => text);
}

describe('the JSON of a list', () => {
  it.each([
    '/samples?order=id',
    '/samples?order=id.desc&limit=2&offset=1',
    '/samples?select=moment,id,renamed:word&order=id',
    '/samples?select=moment&id=eq.4',
    '/samples?select=id,films(title,directors(last_name)),film_id&order=id',
    '/films?select=id,samples(id,moment)&order=id',
    '/samples?id=eq.0',
    '/samples?select=',
    // Types that only PostgreSQL writes: a list, a range.
    '/films?order=id',
    '/samples?select=id,text:docb->b,word::bytea&order=id',
  ])('of %s is the same, byte for byte', async (path) => {
    const { node, sql } = await bodies(path);
    expect(node).toBe(sql);
    expect(() => JSON.parse(node)).not.toThrow();
  });

  it.each(['Africa/Monrovia', 'Asia/Kolkata', 'Europe/Amsterdam', 'America/St_Johns'])(
    'has the offsets of %s',
    async (zone) => {
      const { node, sql } = await bodies('/samples?select=id,moment,local_time&order=id', {
        prefer: `timezone=${zone}`,
      });
      expect(node).toBe(sql);
    },
  );

  it('is the same for any text, number and time', async () => {
    const { owner } = server.database;
    const text = fc.string({ unit: 'binary' }).map((one) => one.replaceAll('\0', ''));
    const rows = fc.array(
      fc.record({
        text: fc.option(text),
        number: fc.option(fc.double()),
        // Seconds: from before Christ to the year 12,000.
        at: fc.option(fc.double({ min: -7e10, max: 3.2e11, noNaN: true })),
      }),
      { minLength: 1, maxLength: 30 },
    );
    await owner.query(
      `create table public.anything (n int, text text, number double precision, at timestamptz); grant select on public.anything to anon`,
    );
    // A table that exists for a while is in the schema cache.
    await rest('GET', '/anything');
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        await owner.query('truncate public.anything');
        await owner.query(
          `insert into public.anything select n, text, number, to_timestamp(at) from unnest($1::text[], $2::float8[], $3::float8[])
            with ordinality as _(text, number, at, n)`,
          [all.map((one) => one.text), all.map((one) => one.number), all.map((one) => one.at)],
        );
        const { node, sql } = await bodies('/anything?order=n');
        expect(node).toBe(sql);
      }),
      { numRuns: 40 },
    );
  });

  it('is not built in PostgreSQL', async () => {
    const [text, ...more] = await sentFor('/samples?select=id,moment,films(id)&order=id');
    expect(more).toEqual([]);
    expect(text).toMatch(/^select "public"\."samples"\."id"/);
  });
});

describe('a list after a change', () => {
  it("of a column's type has the new type", async () => {
    const { owner } = server.database;
    await owner.query(
      `create table public.changing (id int primary key, tags text); insert into public.changing values (1, 'a');
        grant select on public.changing to anon`,
    );
    expect((await rest('GET', '/changing')).json()).toEqual([{ id: 1, tags: 'a' }]);
    await owner.query('alter table public.changing alter tags type text[] using array[tags]');
    expect((await rest('GET', '/changing')).json()).toEqual([{ id: 1, tags: ['a'] }]);
    await owner.query('alter table public.changing alter id type bigint');
    expect((await rest('GET', '/changing')).text).toBe('[{"id":1,"tags":["a"]}]');
  });

  it('of the style of dates has those of JSON', async () => {
    const { owner, connection } = server.database;
    const before = await rest('GET', '/samples?select=day,moment&order=id');
    await owner.query(
      `alter role anon in database ${connection.database} set datestyle = 'German'`,
    );
    await owner.query(`notify pgrst, 'reload config'`);
    // An unknown name triggers a check for newer settings.
    await rest('GET', '/nobody');
    const after = await rest('GET', '/samples?select=day,moment&order=id');
    await owner.query(`alter role anon in database ${connection.database} reset datestyle`);
    expect(after.text).toBe(before.text);
  });

  it('of a policy that sets the status has that status', async () => {
    const { owner } = server.database;
    await owner.query(`
      create table public.teapots (id int primary key); insert into public.teapots values (1);
      alter table public.teapots enable row level security;
      create function public.brewing() returns boolean language sql as
        $$ select set_config('response.status', '418', true) is not null $$;
      create policy "Brewing" on public.teapots for select using (public.brewing());
      grant select on public.teapots to anon; grant execute on function public.brewing to anon`);
    const answer = await rest('GET', '/teapots');
    expect([answer.status, answer.json()]).toEqual([418, [{ id: 1 }]]);
    await owner.query('drop table public.teapots; drop function public.brewing');
  });
});
