import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFilms } from '#tests/support/films.ts';
import { type Rest, restOf } from '#tests/support/rest.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

/** A search that PostgreSQL plans as part of the call; a header tells how often its words were looked up. */
const SEARCH = `
  create function public.patterns_of(words text) returns text[] language plpgsql stable as $$
  declare
    lookups constant int := coalesce(nullif(current_setting('app.lookups', true), ''), '0')::int + 1;
  begin
    perform set_config('app.lookups', lookups::text, true);
    perform set_config('response.headers', format('[{"X-Lookups": "%s"}]', lookups), true);
    return string_to_array('%' || replace(words, ' ', '% %') || '%', ' ');
  end $$;
  create function public.films_like(words text, newer_than int default 0) returns setof public.films language sql stable
    as $$ select * from public.films where year > newer_than and title ilike all ((select public.patterns_of(words))::text[]) $$;
  create function public.arguments_of(a text, b numeric, c boolean) returns table (text text) language sql stable
    as $$ select concat_ws(' ', a, b, case c when true then 'true' when false then 'false' end) $$;
  grant execute on all functions in schema public to anon;
  notify pgrst;`;

let server: TestServer;
let client: SupabaseClient;
let rest: Rest;

beforeAll(async () => {
  server = await testServer();
  await createFilms(server.database.owner);
  await server.database.owner.query(SEARCH);
  client = server.client();
  rest = restOf(server);
});

describe('an RPC call', () => {
  it.each([
    ['POST', '/rpc/add', { a: 2, b: 3 }, 200, 5],
    ['POST', '/rpc/add', { a: 2 }, 200, 3],
    ['POST', '/rpc/add', { a: null }, 200, null],
    ['GET', '/rpc/add?a=2&b=40', undefined, 200, 42],
    ['GET', '/rpc/years', undefined, 200, [1987, 1991, 2014, 2017, null]],
    ['POST', '/rpc/stats', {}, 200, [{ films: 5, newest: 2017 }]],
    ['POST', '/rpc/film?select=title', { film: 2 }, 200, { title: 'Yeelen' }],
    ['GET', '/rpc/films_of?director=1&select=id&year=gt.2000', undefined, 200, [{ id: 4 }]],
    [
      'GET',
      '/rpc/director_of?film=1&select=id,full_name',
      undefined,
      200,
      [{ id: 1, full_name: 'Kathryn Bigelow' }],
    ],
    [
      'POST',
      '/rpc/director_of?select=*,full_name',
      { film: 3 },
      200,
      [
        {
          id: 3,
          first_name: 'Ava',
          last_name: 'DuVernay',
          born: 1972,
          mentor_id: 1,
          full_name: 'Ava DuVernay',
        },
      ],
    ],
    [
      'GET',
      '/rpc/films_of?director=1&select=id,directors(last_name)&limit=1',
      undefined,
      200,
      [{ id: 1, directors: { last_name: 'Bigelow' } }],
    ],
    ['POST', '/rpc/films_of?select=id&order=id.desc&limit=1', { director: 1 }, 200, [{ id: 4 }]],
    ['POST', '/rpc/join_words', { words: ['a', 'b c'] }, 200, 'a b c'],
    ['GET', '/rpc/join_words?words=a&words=b', undefined, 200, 'a b'],
    ['GET', '/rpc/join_words?words={a,b}', undefined, 200, 'a b'],
    ['POST', '/rpc/echo', [1, { two: [3] }], 200, [1, { two: [3] }]],
    ['POST', '/rpc/echo', { any: 'thing' }, 200, { any: 'thing' }],
  ])('%s %s %j', async (method, path, body, status, expected) => {
    const answer = await rest(method, path, { body });
    expect([answer.status, answer.json()]).toEqual([status, expected]);
  });

  it.each([
    ['GET', '/rpc/films_like?words=point%20break&newer_than=1990', undefined],
    ['POST', '/rpc/films_like', { words: 'point break', newer_than: 1990 }],
    ['POST', '/rpc/films_like', { words: 'point break' }],
  ])(
    'by %s %s %j looks up once, not for every row, what depends on its arguments',
    async (...request) => {
      const [method, path, body] = request;
      const answer = await rest(method, path, { body });
      expect(answer.json()).toMatchObject([{ id: 1 }]);
      expect(answer.headers.get('x-lookups')).toBe('1');
    },
  );

  it.each([
    [
      '{"a": "x\\u00e9", "b": 12345678901234567890.10, "c": true}',
      'xé 12345678901234567890.10 true',
    ],
    ['{"a": {"k": [1]}, "b": "7", "c": "f"}', '{"k": [1]} 7 false'],
    ['{"a": 1.50, "b": 1e2, "c": null}', '1.50 100'],
    ['{"a": "first", "a": "last", "b": null, "c": false}', 'last false'],
    ['[{"a": "in a list", "b": 1, "c": true}]', 'in a list 1 true'],
  ])('reads the arguments %s', async (body, expected) => {
    const response = await fetch(`${server.url}/rest/v1/rpc/arguments_of`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(await response.json()).toEqual([{ text: expected }]);
  });

  it.each([
    ['{"a": "", "b": "many", "c": true}', '22P02'],
    ['{"a": "\\u0000", "b": 1, "c": true}', '22P05'],
  ])('refuses the arguments %s with %s', async (body, code) => {
    const response = await fetch(`${server.url}/rest/v1/rpc/arguments_of`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(await response.json()).toMatchObject({ code });
  });

  it('without a result returns 204', async () => {
    const answer = await rest('POST', '/rpc/rename', { body: { film: 2, title: 'Brightness' } });
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
      204,
      '',
      null,
    ]);
    const { rows } = await server.database.owner.query(
      'select title from public.films where id = 2',
    );
    expect(rows).toEqual([{ title: 'Brightness' }]);
  });

  it('by GET is read-only', async () => {
    const answer = await rest('GET', '/rpc/rename?film=2&title=x');
    expect([answer.status, answer.json()]).toMatchObject([405, { code: '25006' }]);
  });

  it('works through supabase-js: rows, filters, counts, single rows, head', async () => {
    const list = await client
      .rpc('films_of', { director: 1 }, { count: 'exact' })
      .select('id')
      .order('id')
      .limit(1);
    expect([list.data, list.count]).toEqual([[{ id: 1 }], 2]);
    const single = await client.rpc('films_of', { director: 2 }).select('id').single();
    expect(single.data).toEqual({ id: 2 });
    const many = await client.rpc('films_of', { director: 1 }).single();
    expect(many.error?.code).toBe('PGRST116');
    const got = await client.rpc('add', { a: 1, b: 1 }, { get: true });
    expect(got.data).toBe(2);
    const head = await client.rpc('films_of', { director: 1 }, { head: true, count: 'exact' });
    expect([head.data, head.count]).toEqual([null, 2]);
  });

  it("can read the request's headers, method and path", async () => {
    const token = await server.context.keys.sign({ role: 'authenticated', sub: 'u1' });
    const answer = await rest('GET', '/rpc/whoami', {
      headers: { authorization: `Bearer ${token}`, 'x-agent': 'radio' },
    });
    expect(answer.json()).toEqual({
      user: 'authenticated',
      claims: { role: 'authenticated', sub: 'u1' },
      method: 'GET',
      path: '/rpc/whoami',
      agent: 'radio',
    });
  });

  it('can set the status and headers of the response', async () => {
    const answer = await rest('POST', '/rpc/teapot');
    expect([answer.status, answer.headers.get('x-kind'), answer.json()]).toEqual([
      418,
      'teapot',
      { short: true },
    ]);
  });
});

describe('a failing RPC call', () => {
  it.each([
    ['P0001', 400],
    ['PT402', 402],
    ['23505', 409],
    ['23503', 409],
    ['23514', 400],
    ['42501', 401],
    ['28000', 403],
    ['P0002', 500],
    ['53000', 503],
    ['22023', 400],
  ])('with %s returns %d', async (code, status) => {
    const answer = await rest('POST', '/rpc/fail', { body: { code, message: 'no' } });
    expect([answer.status, answer.json()]).toEqual([
      status,
      { code, message: 'no', details: 'why', hint: 'try' },
    ]);
  });

  it('can define the whole error response', async () => {
    const answer = await rest('POST', '/rpc/fail_with_answer');
    expect([answer.status, answer.headers.get('x-price'), answer.json()]).toEqual([
      402,
      '5',
      { code: '123', message: 'Payment required', details: 'd', hint: 'h' },
    ]);
    const url = `${server.url}/rest/v1/rpc/fail_with_answer`;
    expect((await fetch(url, { method: 'POST' })).statusText).toBe('No Money');
  });

  it('names the function that was not found', async () => {
    const answer = await rest('POST', '/rpc/add', { body: { a: 1, c: 2 } });
    expect([answer.status, answer.json()]).toEqual([
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.add(a, c) in the schema cache',
        details:
          'Searched for the function public.add with parameters a, c or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
        hint: 'Perhaps you meant to call the function public.add(a, b)',
      },
    ]);
    const none = await rest('POST', '/rpc/addd');
    expect(none.json()).toEqual({
      code: 'PGRST202',
      message: 'Could not find the function public.addd without parameters in the schema cache',
      details:
        'Searched for the function public.addd without parameters or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.add',
    });
  });

  it('that matches two functions is rejected as ambiguous', async () => {
    const answer = await rest('POST', '/rpc/either', { body: { a: 1 } });
    expect([answer.status, answer.json()]).toEqual([
      300,
      {
        code: 'PGRST203',
        message:
          'Could not choose the best candidate function between: public.either(a => integer), public.either(a => text)',
        details: null,
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      },
    ]);
  });
});
