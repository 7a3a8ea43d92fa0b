// Reads through supabase-js: filters, order, ranges, counts, embedding.
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFilms } from '#tests/support/films.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
let client: SupabaseClient;

beforeAll(async () => {
  server = await testServer();
  await createFilms(server.database.owner);
  client = server.client();
});

const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const answer = await fetch(`${server.url}/rest/v1${path}`, { method, headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) };
};

const ids = async (query: string): Promise<unknown> => {
  const answer = await get(`/films?select=id&order=id&${query}`);
  const body = answer.json();
  return Array.isArray(body) ? body.map((row: { id: number }) => row.id) : body;
};

describe('a filter', () => {
  it.each([
    ['id=eq.2', [2]],
    ['id=neq.2', [1, 3, 4, 5]],
    ['year=gt.2014', [4]],
    ['year=gte.2014', [3, 4]],
    ['year=lt.1991', [2]],
    ['year=lte.1991', [1, 2]],
    ['title=like.*e*', [1, 2, 3, 4, 5]],
    ['title=like.S*', [3]],
    ['title=ilike.s*', [3]],
    ['title=match.^[PY]', [1, 2]],
    ['title=imatch.^[py]', [1, 2]],
    ['id=in.(1,3)', [1, 3]],
    ['title=in.(Selma,"Orphan, \\"The\\" (cut)")', [3, 5]],
    ['id=in.()', []],
    ['year=is.null', [5]],
    ['year=is.not_null', [1, 2, 3, 4]],
    ['year=not.is.null', [1, 2, 3, 4]],
    ['year=isdistinct.1991', [2, 3, 4, 5]],
    ['plot=fts.young', [1, 2]],
    ['plot=fts(english).wave', [1]],
    ['plot=plfts.young agent', [1]],
    ['plot=phfts.young agent', [1]],
    ['plot=wfts(english).young -agent', [2]],
    ['plot=not.fts.young', [3]],
    ['tags=cs.{history}', [3, 4]],
    ['tags=cd.{history,march}', [3, 4, 5]],
    ['tags=ov.{surf,myth}', [1, 2]],
    ['shown=sl.[1990-01-01,1990-02-01)', [2]],
    ['shown=sr.[1990-01-01,1990-02-01)', [1]],
    ['shown=nxr.[1987-01-01,1987-07-01)', [2]],
    ['shown=nxl.[1991-01-01,1991-02-01)', [1]],
    ['shown=adj.[1991-09-01,1991-10-01)', [1]],
    ['facts=cs.{"cost":24}', [1]],
    ['facts->>cost=eq.20', [3]],
    ['facts->cost=gte.20', [1, 3]],
    ['facts->lead->>name=eq.King', [3]],
    ['facts->places->>0=eq.sea', [1]],
    ['rating=eq.R', [1, 4]],
    ['year=eq(any).{1987,2014}', [2, 3]],
    ['title=like(all).{*e*,*l*}', [2, 3]],
    ['title=ilike(any).{p*,y*}', [1, 2]],
    ['year=not.in.(1991,1987)', [3, 4]],
    ['year=gt.1988&year=lt.2015', [1, 3]],
    ['or=(year.eq.1987,year.eq.2014)', [2, 3]],
    ['or=(year.eq.1987,and(year.gt.2000,rating.eq.R))', [2, 4]],
    ['not.or=(year.gt.2000,year.is.null)', [1, 2]],
    ['and=(year.gt.1900,not.or(id.eq.1,id.eq.2))', [3, 4]],
    ['or=(title.in.(Selma,Yeelen),title.eq."Orphan, \\"The\\" (cut)")', [2, 3, 5]],
    ['or=(tags.cs.{history,march},tags.cs.{myth})', [2, 3]],
    ['and=(facts->>cost.eq.24)', [1]],
  ])('%s finds %j', async (query, expected) => {
    expect(await ids(query.replaceAll('+', '%2B'))).toEqual(expected);
  });
});

describe('an invalid filter', () => {
  it.each([
    ['id=2', 400, 'PGRST100', '"failed to parse filter (2)" (line 1, column 1)'],
    ['id=nope.2', 400, 'PGRST100', '"failed to parse filter (nope.2)" (line 1, column 1)'],
    ['id=eq.x', 400, '22P02', 'invalid input syntax for type integer: "x"'],
    ['nope=eq.1', 400, '42703', 'column films.nope does not exist'],
    ['id=like.1', 404, '42883', 'operator does not exist: integer ~~ unknown'],
    ['or=(id.eq.1', 400, 'PGRST100', '"failed to parse logic tree ((id.eq.1)" (line 1, column 11)'],
    ['order=id.ac', 400, 'PGRST100', '"failed to parse order (id.ac)" (line 1, column 4)'],
    ['actors.id=eq.1', 400, 'PGRST108', `'actors' is not an embedded resource in this request`],
  ])('%s returns %d %s', async (query, status, code, message) => {
    const answer = await get(`/films?${query}`);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ code, message });
    expect(Object.keys(answer.json())).toEqual(['code', 'details', 'hint', 'message']);
    expect(answer.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`);
  });
});

describe('select', () => {
  it.each([
    ['select=title,year', { title: 'Point Break', year: 1991 }],
    ['select=name:title', { name: 'Point Break' }],
    ['select=year::text', { year: '1991' }],
    ['select=y:year::text', { y: '1991' }],
    ['select=facts->cost', { cost: 24 }],
    ['select=facts->lead->>name', { name: 'Utah' }],
    ['select=who:facts->lead->>name', { who: 'Utah' }],
    ['select=facts->places->0', { places: 'sea' }],
    [
      'select=length_minutes,seen_at',
      { length_minutes: 122.5, seen_at: '2024-01-01T00:00:00+00:00' },
    ],
    ['select=tags,shown', { tags: ['surf', 'heist'], shown: '[1991-07-12,1991-09-01)' }],
    [
      'select=title,directors(last_name)',
      { title: 'Point Break', directors: { last_name: 'Bigelow' } },
    ],
    [
      'select=title,d:directors(full_name)',
      { title: 'Point Break', d: { full_name: 'Kathryn Bigelow' } },
    ],
    ['select=title,...directors(last_name)', { title: 'Point Break', last_name: 'Bigelow' }],
    [
      'select=title,director_id(last_name)',
      { title: 'Point Break', director_id: { last_name: 'Bigelow' } },
    ],
    [
      'select=title,films_director_id_fkey(born)',
      { title: 'Point Break', films_director_id_fkey: { born: 1951 } },
    ],
    ['select=technical_specs(camera)', { technical_specs: { camera: 'Panavision' } }],
    ['select=actors(name)', { actors: [{ name: 'Keanu' }, { name: 'Lori' }] }],
    [
      'select=roles(character,actors(name))&roles.order=actor_id',
      {
        roles: [
          { character: 'Utah', actors: { name: 'Keanu' } },
          { character: 'Tyler', actors: { name: 'Lori' } },
        ],
      },
    ],
    ['select=roles(character)&roles.character=eq.Tyler', { roles: [{ character: 'Tyler' }] }],
    [
      'select=roles(character)&roles.order=character&roles.limit=1',
      { roles: [{ character: 'Tyler' }] },
    ],
    [
      'select=roles(character)&roles.order=character&roles.limit=1&roles.offset=1',
      { roles: [{ character: 'Utah' }] },
    ],
    [
      'select=title,...roles(character)&roles.order=character',
      { title: 'Point Break', character: ['Tyler', 'Utah'] },
    ],
    [
      'select=title,directors(films(title))&directors.films.order=id',
      {
        title: 'Point Break',
        directors: { films: [{ title: 'Point Break' }, { title: 'Detroit' }] },
      },
    ],
    ['select=id,directors()', { id: 1 }],
  ])('%s', async (query, expected) => {
    const answer = await get(`/films?id=eq.1&${query}`);
    expect(answer.json()).toEqual([expected]);
  });

  it('keeps microseconds, and null for an embed without a row', async () => {
    const answer = await get(
      '/films?select=id,seen_at,directors(id),roles(character)&id=in.(2,5)&order=id',
    );
    expect(answer.text).toContain('2024-03-01T10:20:30.123456+00:00');
    expect(answer.json()[1]).toEqual({ id: 5, seen_at: null, directors: null, roles: [] });
  });

  it.each([
    ['select=id,directors!inner(id)&directors.born=lt.1945', [2]],
    ['select=id,roles!inner(character)&roles.character=eq.King', [3]],
    ['select=id,roles!inner(actors!inner(name))&roles.actors.name=eq.Keanu', [1]],
    ['select=id,actors!inner(name)&actors.name=eq.David', [3, 4]],
    ['select=id,directors(id)&directors=is.null', [5]],
    ['select=id,directors()&directors=not.is.null', [1, 2, 3, 4]],
    ['select=id,roles()&roles=is.null', [2, 5]],
    [
      'select=id,roles(),technical_specs()&or=(roles.is.null,technical_specs.not.is.null)',
      [1, 2, 3, 5],
    ],
  ])('filters parents by their embeds: %s', async (query, expected) => {
    const answer = await get(`/films?${query}&order=id`, { prefer: 'count=exact' });
    expect(answer.json().map((row: { id: number }) => row.id)).toEqual(expected);
    expect(answer.headers.get('content-range')).toMatch(new RegExp(`/${expected.length}$`));
  });

  it.each([
    [
      'films?select=id,directors(last_name)&order=directors(last_name).desc,id&director_id=not.is.null',
      [3, 2, 1, 4],
    ],
    [
      'films?select=id,directors()&order=directors(born),id.desc&director_id=not.is.null',
      [2, 4, 1, 3],
    ],
    [
      'films?select=id,...directors(last_name)&order=directors(born),id.desc&director_id=not.is.null',
      [2, 4, 1, 3],
    ],
    ['films?select=id&order=year.desc.nullslast,id', [4, 3, 1, 2, 5]],
    ['films?select=id&order=year.nullsfirst&limit=2', [5, 2]],
    ['films?select=id&order=facts->cost.desc.nullslast,id', [1, 3, 2, 4, 5]],
    ['recent_films?select=id,directors(id)&directors.id=eq.1&order=id', [3, 4]],
  ])('orders by an embedded column: %s', async (path, expected) => {
    const body = (await get(`/${path}`)).json();
    expect(body.map((row: { id: number }) => row.id)).toEqual(expected);
  });

  it('tells the two sides of a self-reference apart', async () => {
    const answer = await get(
      '/directors?select=id,mentor:mentor_id(last_name),pupils:directors(id)&order=id&pupils.order=id',
    );
    expect(answer.json()).toEqual([
      { id: 1, mentor: null, pupils: [{ id: 2 }, { id: 3 }] },
      { id: 2, mentor: { last_name: 'Bigelow' }, pupils: [] },
      { id: 3, mentor: { last_name: 'Bigelow' }, pupils: [] },
    ]);
  });

  it('explains an ambiguous and a missing relationship', async () => {
    const ambiguous = await get('/messages?select=id,actors(name)');
    expect(ambiguous.status).toBe(300);
    expect(ambiguous.json()).toEqual({
      code: 'PGRST201',
      message: `Could not embed because more than one relationship was found for 'messages' and 'actors'`,
      details: [
        {
          cardinality: 'many-to-one',
          embedding: 'messages with actors',
          relationship: 'messages_recipient_fkey using messages(recipient) and actors(id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'messages with actors',
          relationship: 'messages_sender_fkey using messages(sender) and actors(id)',
        },
      ],
      hint: `Try changing 'actors' to one of the following: 'actors!messages_recipient_fkey', 'actors!messages_sender_fkey'. Find the desired relationship in the 'details' key.`,
    });
    const hinted = await get(
      '/messages?select=id,actors!messages_sender_fkey(name),to:actors!recipient(name)&id=eq.1',
    );
    expect(hinted.json()).toEqual([{ id: 1, actors: { name: 'Keanu' }, to: { name: 'Lori' } }]);
    const missing = await get('/films?select=id,director(id)');
    expect(missing.status).toBe(400);
    expect(missing.json()).toEqual({
      code: 'PGRST200',
      message: `Could not find a relationship between 'films' and 'director' in the schema cache`,
      details: `Searched for a foreign key relationship between 'films' and 'director' in the schema 'public', but no matches were found.`,
      hint: `Perhaps you meant 'directors' instead of 'director'.`,
    });
  });
});

describe('a range', () => {
  it.each([
    ['', {}, 200, '0-4/*'],
    ['limit=2', {}, 200, '0-1/*'],
    ['limit=2&offset=3', {}, 200, '3-4/*'],
    ['limit=0', {}, 200, '*/*'],
    ['limit=2', { prefer: 'count=exact' }, 206, '0-1/5'],
    ['offset=4', { prefer: 'count=exact' }, 206, '4-4/5'],
    ['year=gt.3000', { prefer: 'count=exact' }, 200, '*/0'],
    ['', { prefer: 'count=exact' }, 200, '0-4/5'],
    ['', { range: '1-2' }, 200, '1-2/*'],
    ['', { range: '1-2', prefer: 'count=exact' }, 206, '1-2/5'],
    ['', { range: '3-' }, 200, '3-4/*'],
    ['limit=1', { range: '0-2', prefer: 'count=estimated' }, 206, '0-0/5'],
  ])('%s %j', async (query, headers, status, range) => {
    const answer = await get(
      `/films?select=id&order=id&${query}`,
      headers as Record<string, string>,
    );
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, range]);
  });

  it.each([
    [
      'offset=9',
      { prefer: 'count=exact' },
      416,
      'PGRST103',
      'An offset of 9 was requested, but there are only 5 rows.',
    ],
    [
      '',
      { range: '5-1' },
      416,
      'PGRST103',
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    ],
    ['limit=-1', {}, 416, 'PGRST103', 'Limit should be greater than or equal to zero.'],
  ])('is rejected: %s %j', async (query, headers, status, code, details) => {
    const answer = await get(`/films?${query}`, headers as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ code, details });
  });

  it('supports single rows, counts and head requests of supabase-js', async () => {
    const single = await client.from('films').select('title').eq('id', 2).single();
    expect(single.data).toEqual({ title: 'Yeelen' });
    const many = await client.from('films').select('title').single();
    expect([many.status, many.error?.code, many.error?.details]).toEqual([
      406,
      'PGRST116',
      'The result contains 5 rows',
    ]);
    const none = await client.from('films').select('title').eq('id', 99).maybeSingle();
    expect([none.data, none.error]).toEqual([null, null]);
    const head = await client.from('films').select('*', { count: 'exact', head: true });
    expect([head.count, head.data, head.status]).toEqual([5, null, 200]);
    const planned = await client.from('films').select('*', { count: 'planned' });
    expect(planned.count).toEqual(expect.any(Number));
    const csv = await client.from('films').select('id,title').lte('id', 2).order('id').csv();
    expect(csv.data).toBe('id,title\n1,"Point Break"\n2,Yeelen');
    const stripped = await client.from('films').select('id,year').eq('id', 5).stripNulls();
    expect(stripped.data).toEqual([{ id: 5 }]);
  });

  it('sends a HEAD response with the headers of a GET', async () => {
    const { headers, status, text } = await get('/films?id=eq.1', {}, 'HEAD');
    expect([status, text, headers.get('content-type'), headers.get('content-range')]).toEqual([
      200,
      '',
      'application/json; charset=utf-8',
      '0-0/*',
    ]);
    const refused = await get('/nobody', {}, 'HEAD');
    expect([refused.status, refused.text]).toEqual([404, '']);
  });

  it('says what it depends on, unless it is an error', async () => {
    const read = await get('/films?select=id&limit=1');
    expect(read.headers.get('vary')).toContain('Accept, Prefer, Range');
    const made = await get('/films', {}, 'OPTIONS');
    expect(made.headers.get('vary')).toContain('Accept, Prefer, Range');
    const refused = await get('/nothing_like_it');
    expect(refused.headers.get('vary') ?? '').not.toContain('Prefer');
  });

  it('sends an execution plan without settings that nobody made', async () => {
    const jit = await server.database.owner.query(
      `select setting from pg_db_role_setting s, unnest(s.setconfig) setting
       where s.setrole = 'authenticator'::regrole and setting like 'jit=%'`,
    );
    const compiles = await server.database.owner.query('select pg_jit_available() as has');
    expect(jit.rows).toEqual(compiles.rows[0].has ? [{ setting: 'jit=off' }] : []);
  });

  it('sends Content-Location, media types and the exact length', async () => {
    const answer = await get('/films?select=id&id=eq.1');
    expect(answer.headers.get('content-location')).toBe('/films?id=eq.1&select=id');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('content-length')).toBe(String(answer.text.length));
  });
});

describe('a table', () => {
  it('is only found by its exact name, with a hint for a similar one', async () => {
    const answer = await get('/film');
    expect(answer.status).toBe(404);
    expect(answer.json()).toEqual({
      code: 'PGRST205',
      details: null,
      hint: `Perhaps you meant the table 'public.films'`,
      message: `Could not find the table 'public.film' in the schema cache`,
    });
    expect((await get('/films/1')).status).toBe(404);
    expect((await get('/films/1')).json()).toMatchObject({ code: 'PGRST125' });
  });

  it('that nobody can read returns 401 to anon and 403 to a user', async () => {
    const visitor = await get('/locked');
    expect([visitor.status, visitor.json().code]).toEqual([401, '42501']);
    expect(visitor.headers.get('www-authenticate')).toBe('Bearer');
    const token = await server.context.keys.sign({
      role: 'authenticated',
      sub: crypto.randomUUID(),
    });
    const user = await get('/locked', { authorization: `Bearer ${token}` });
    expect([user.status, user.json().code]).toEqual([403, '42501']);
  });

  it('is in the schema cache as soon as it is created or altered', async () => {
    await server.database.owner.query(
      'create table public.brand_new (id int primary key); grant all on public.brand_new to anon',
    );
    expect((await get('/brand_new')).json()).toEqual([]);
    await server.database.owner.query('alter table public.brand_new add label text');
    const made = await client.from('brand_new').insert({ id: 1, label: 'a' }).select();
    expect(made.data).toEqual([{ id: 1, label: 'a' }]);
    await server.database.owner.query('alter table public.brand_new drop column label');
    expect((await get('/brand_new')).json()).toEqual([{ id: 1 }]);
  });
});
