// What an operator may set: schemas, row limit, aggregates; the description at the root; and a schema that changes.
import { beforeAll, describe, expect, it } from 'vitest';
import { createFilms } from '#tests/support/films.ts';
import { loggedErrors } from '#tests/support/logged.ts';
import { type Rest, restOf } from '#tests/support/rest.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
let rest: Rest;

beforeAll(async () => {
  server = await testServer({
    PGRST_DB_SCHEMAS: 'public, Second Door',
    PGRST_DB_MAX_ROWS: '3',
    PGRST_DB_AGGREGATES_ENABLED: 'true',
  });
  await createFilms(server.database.owner);
  await server.database.owner.query(`
    create schema "Second Door";
    create type "Second Door".size as (wide int, high int);
    create table "Second Door"."Odd Table" (
      "The Id" int primary key, "wei""rd" text default 'x', size "Second Door".size, "film" int references public.films (id));
    comment on table "Second Door"."Odd Table" is 'Names nobody should choose';
    insert into "Second Door"."Odd Table" values (1, 'a', '(3,4)', 1), (2, 'b', null, null);
    create function "Second Door".where_am_i() returns text language sql stable as $$ select current_setting('search_path') $$;
    grant usage on schema "Second Door" to anon; grant all on all tables in schema "Second Door" to anon;
    create function public.newest_film(public.directors) returns setof public.films rows 1 language sql stable
      as $$ select * from public.films where director_id = $1.id order by year desc limit 1 $$;
    create function public.long_films(public.directors) returns setof public.films language sql stable
      as $$ select * from public.films where director_id = $1.id and length_minutes > 110 order by id $$;
    grant execute on function public.newest_film, public.long_films to anon`);
  rest = restOf(server);
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await rest('GET', path, { headers });
  return { ...answer, body: answer.text === '' ? undefined : answer.json() };
};

describe('a schema', () => {
  const odd = `/${encodeURIComponent('Odd Table')}`;
  const door = { 'accept-profile': 'Second Door' };

  it('is chosen by profile, and told back', async () => {
    const answer = await get(
      `${odd}?select=${encodeURIComponent('"The Id",w:"wei\\"rd",size->wide')}&order="The Id"`,
      door,
    );
    expect(answer.body).toEqual([
      { 'The Id': 1, w: 'a', wide: 3 },
      { 'The Id': 2, w: 'b', wide: null },
    ]);
    expect(answer.headers.get('content-profile')).toBe('Second Door');
    const filtered = await get(`${odd}?${encodeURIComponent('"The Id"')}=eq.2&select=film`, door);
    expect(filtered.body).toEqual([{ film: null }]);
  });

  it('puts its name first in the search path', async () => {
    expect((await get('/rpc/where_am_i', door)).body).toBe('"Second Door", "public", "extensions"');
  });

  it('takes writes by Content-Profile', async () => {
    const headers = { 'content-profile': 'Second Door', prefer: 'return=representation' };
    const body = { 'The Id': 3, 'wei"rd': 'c', size: { wide: 1, high: 2 } };
    const made = await rest('POST', odd, { headers, body });
    expect([made.status, made.json()]).toEqual([201, [{ ...body, film: null }]]);
    const gone = await rest('DELETE', `${odd}?"The Id"=eq.3`, { headers });
    expect(gone.json()).toHaveLength(1);
  });

  it('that is not exposed is refused', async () => {
    const answer = await get('/users', { 'accept-profile': 'auth' });
    expect([answer.status, answer.body]).toEqual([
      406,
      {
        code: 'PGRST106',
        message: 'Invalid schema: auth',
        details: null,
        hint: 'Only the following schemas are exposed: public, Second Door',
      },
    ]);
  });
});

describe('the row limit', () => {
  it.each([
    ['/films?select=id&order=id', {}, 3, '0-2/*', 200],
    ['/films?select=id&order=id&limit=4', {}, 3, '0-2/*', 200],
    ['/films?select=id&limit=2', {}, 2, '0-1/*', 200],
    ['/films?select=id', { prefer: 'count=exact' }, 3, '0-2/5', 206],
    ['/rpc/years', {}, 3, '0-2/*', 200],
  ])('caps %s %j', async (path, headers, length, range, status) => {
    const answer = await get(path, headers as Record<string, string>);
    expect(answer.body).toHaveLength(length);
    expect([answer.headers.get('content-range'), answer.status]).toEqual([range, status]);
  });

  it('turns an exact count into an estimate beyond it', async () => {
    await server.database.owner.query(`
      create table public.many as select n from generate_series(1, 5000) n; analyze public.many; grant select on public.many to anon`);
    const estimated = await get('/many?limit=1', { prefer: 'count=estimated' });
    expect(estimated.headers.get('content-range')).toBe('0-0/5000');
    const planned = await get('/many?limit=1', { prefer: 'count=planned' });
    expect(planned.headers.get('content-range')).toBe('0-0/5000');
    const few = await get('/films?id=lt.3', { prefer: 'count=estimated' });
    expect(few.headers.get('content-range')).toBe('0-1/2');
  });

  it('does not let an estimate tell of rows that the caller may not see', async () => {
    await server.database.owner.query(`
      create table public.secrets as select n from generate_series(1, 5000) n; analyze public.secrets;
      alter table public.secrets enable row level security;
      create policy "Two" on public.secrets for select using (n <= 2);
      create view public.shown_secrets with (security_invoker) as select n from public.secrets;
      create view public.own_secrets as select n from public.secrets where n <= length(current_setting('request.jwt.claims'))
        and auth.uid() is not null;
      create table public.holders as select n from generate_series(1, 2000) n; analyze public.holders;
      alter table public.secrets add primary key (n);
      alter table public.holders add foreign key (n) references public.secrets (n);
      grant select on public.secrets, public.shown_secrets, public.own_secrets, public.holders to anon`);
    const ranges = await Promise.all(
      [
        '/secrets?limit=1',
        '/shown_secrets?limit=1',
        '/own_secrets?limit=1',
        '/holders?select=n,secrets!inner(n)&limit=1',
      ].flatMap((path) =>
        ['planned', 'estimated'].map(async (count) => {
          const { headers } = await get(path, { prefer: `count=${count}` });
          return headers.get('content-range');
        }),
      ),
    );
    expect(ranges).toEqual(['0-0/2', '0-0/2', '0-0/2', '0-0/2', '*/0', '*/0', '0-0/2', '0-0/2']);
  });

  it('does not cap what a write gives back', async () => {
    const body = [1, 2, 3, 4, 5].map((id) => ({ id: id + 10, name: `actor ${id}` }));
    const made = await rest('POST', '/actors', {
      headers: { prefer: 'return=representation' },
      body,
    });
    expect(made.json()).toEqual(body);
    await rest('DELETE', '/actors?id=gt.10');
  });
});

describe('an aggregate', () => {
  it.each([
    ['/films?select=count()', [{ count: 5 }]],
    ['/films?select=n:count()', [{ n: 5 }]],
    ['/films?select=year.max(),year.min()', [{ max: 2017, min: 1987 }]],
    ['/films?select=latest:year.max()::text', [{ latest: '2017' }]],
    [
      '/films?select=rating,count()&order=rating',
      [
        { rating: 'PG', count: 2 },
        { rating: 'R', count: 2 },
        { rating: null, count: 1 },
      ],
    ],
    ['/films?select=facts->>cost,count()&id=eq.1', [{ cost: '24', count: 1 }]],
    ['/films?select=cost:facts->cost::int.sum()', [{ cost: 46 }]],
    [
      '/directors?select=last_name,films(count())&order=id',
      [
        { last_name: 'Bigelow', films: [{ count: 2 }] },
        { last_name: 'Cissé', films: [{ count: 1 }] },
        { last_name: 'DuVernay', films: [{ count: 1 }] },
      ],
    ],
    [
      '/films?select=directors(last_name),count()&director_id=eq.1',
      [{ directors: { last_name: 'Bigelow' }, count: 2 }],
    ],
    // In a spread it is one over the rows of the parent.
    [
      '/films?select=rating,...directors(count())&order=rating',
      [
        { rating: 'PG', count: 2 },
        { rating: 'R', count: 2 },
        { rating: null, count: 0 },
      ],
    ],
    ['/films?select=...directors(total:born.sum()::text)', [{ total: '7814' }]],
    [
      '/films?select=...directors(last_name,born.max(),count())&director_id=lt.3&order=directors(last_name)',
      [
        { last_name: 'Bigelow', max: 1951, count: 2 },
        { last_name: 'Cissé', max: 1940, count: 1 },
      ],
    ],
    [
      '/films?select=n:count(),...directors(who:last_name)&director_id=lt.3&order=directors(who).desc',
      [
        { who: 'Cissé', n: 1 },
        { who: 'Bigelow', n: 2 },
      ],
    ],
    [
      '/roles?select=...films(rating,parts:count(),...technical_specs(specs:count()))&order=films(rating)',
      [
        { rating: 'PG', parts: 1, specs: 1 },
        { rating: 'R', parts: 3, specs: 2 },
      ],
    ],
    [
      '/roles?select=...films(directors(last_name),...technical_specs(count()))&film_id=eq.1',
      [{ directors: { last_name: 'Bigelow' }, count: 2 }],
    ],
    [
      '/directors?select=id,films(n:count(),...technical_specs(specs:film_id.sum(),camera))&id=eq.3',
      [{ id: 3, films: [{ n: 1, specs: 3, camera: 'Arri' }] }],
    ],
    [
      '/directors?select=id,films(n:count(),...technical_specs(specs:film_id.sum(),camera))&id=eq.2',
      [{ id: 2, films: [{ n: 1, specs: null, camera: null }] }],
    ],
    [
      '/messages?select=*,...actors!sender(count())&id=eq.1',
      [{ id: 1, sender: 1, recipient: 2, body: 'hello', count: 1 }],
    ],
    [
      '/actors?select=name,roles(...films(rating,count()))&id=eq.1',
      [{ name: 'Keanu', roles: [{ rating: 'R', count: 1 }] }],
    ],
  ])('%s', async (path, expected) => {
    expect((await get(path)).body).toEqual(expected);
  });

  it('is refused below a spread of many', async () => {
    const answer = await get('/directors?select=...films(...technical_specs(count()))');
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'PGRST127' }]);
  });

  it('is refused unless switched on', async () => {
    const { owner, connection } = server.database;
    const tell = (text: string) =>
      owner.query(
        `alter role authenticator in database ${connection.database} ${text}; notify pgrst, 'reload config'`,
      );
    await tell(`set pgrst.db_aggregates_enabled = 'false'`);
    await get('/nobody');
    const answer = await get('/films?select=count()');
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'PGRST123', message: 'Use of aggregate functions is not allowed' },
    ]);
    await tell('reset pgrst.db_aggregates_enabled');
  });
});

describe('a computed relationship', () => {
  it.each([
    [
      '/directors?select=id,newest_film(title)&order=id',
      [
        { id: 1, newest_film: { title: 'Detroit' } },
        { id: 2, newest_film: { title: 'Yeelen' } },
        { id: 3, newest_film: { title: 'Selma' } },
      ],
    ],
    [
      '/directors?select=id,long_films(title)&id=lt.3&order=id',
      [
        { id: 1, long_films: [{ title: 'Point Break' }, { title: 'Detroit' }] },
        { id: 2, long_films: [] },
      ],
    ],
    [
      '/directors?select=id,films:newest_film(title,director:directors(last_name))&id=eq.1',
      [{ id: 1, films: { title: 'Detroit', director: { last_name: 'Bigelow' } } }],
    ],
  ])('%s', async (path, expected) => {
    expect((await get(path)).body).toEqual(expected);
  });

  it('is there for what a write gives back', async () => {
    const headers = { prefer: 'return=representation' };
    const changed = await rest('PATCH', '/directors?id=eq.2&select=id,newest_film(title)', {
      headers,
      body: { born: 1940 },
    });
    expect(changed.json()).toEqual([{ id: 2, newest_film: { title: 'Yeelen' } }]);
  });
});

describe('the root', () => {
  it('describes what the caller may use', async () => {
    const answer = await get('/');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/openapi+json; charset=utf-8',
    ]);
    expect(answer.headers.get('content-profile')).toBe('public');
    expect(answer.body).toMatchObject({
      swagger: '2.0',
      basePath: '/rest/v1',
      definitions: {
        films: {
          required: ['title'],
          properties: {
            id: {
              type: 'integer',
              format: 'int32',
              description: 'Note:\nThis is a Primary Key.<pk/>',
            },
            rating: { type: 'string', enum: ['G', 'PG', 'R'], default: 'PG' },
            tags: { type: 'array', items: { type: 'string' } },
            director_id: {
              description: `Note:\nThis is a Foreign Key to \`directors.id\`.<fk table='directors' column='id'/>`,
            },
          },
        },
      },
      paths: {
        '/films': { get: {}, post: {}, patch: {}, delete: {} },
        '/rpc/add': { get: {}, post: {} },
      },
    });
    expect(Object.keys((answer.body as { definitions: object }).definitions)).not.toContain(
      'locked',
    );
    const door = await get('/', {
      'accept-profile': 'Second Door',
      accept: 'application/openapi+json',
    });
    expect(door.body).toMatchObject({
      definitions: { 'Odd Table': { description: 'Names nobody should choose' } },
    });
    await server.database.owner.query(`
      create table public.described (
        big bigint, small smallint not null default 42, done boolean default false, price numeric default 1.5,
        label text default 'none', at timestamptz default now(), list int[] default '{}'
      );
      comment on table public.described is E'One line.\\n\\nMore of it.';
      create function public.sum_of(variadic terms int[]) returns bigint language sql immutable
        return (select sum(term) from unnest(terms) as term);
      comment on function public.sum_of is 'Adds up.';
      create function public.chance() returns float language sql return random();
      grant select on public.described to anon;
      notify pgrst, 'reload schema'`);
    await expect.poll(async () => (await get('/described')).status).toBe(200);
    const { body } = await get('/');
    expect(body).toMatchObject({
      definitions: {
        described: {
          description: 'One line.\n\nMore of it.',
          properties: {
            big: { type: 'integer', format: 'int64' },
            small: { type: 'integer', format: 'int32', default: 42 },
            done: { default: false },
            price: { type: 'number', format: 'numeric', default: 1.5 },
            label: { default: 'none' },
            at: { default: 'now()' },
          },
        },
      },
      paths: {
        '/described': { get: { summary: 'One line.', description: 'More of it.' } },
        '/rpc/sum_of': {
          get: {
            summary: 'Adds up.',
            parameters: [
              {
                name: 'terms',
                type: 'array',
                items: { type: 'integer', format: 'int32' },
                collectionFormat: 'multi',
              },
            ],
          },
        },
      },
    });
    const { definitions, paths } = body as { definitions: object; paths: object };
    expect(definitions).not.toHaveProperty('described.properties.list.default');
    expect(paths).not.toHaveProperty('/rpc/sum_of.get.description');
    expect(JSON.stringify(body)).not.toContain('"required":[]');
    const image = await get('/', { accept: 'image/png' });
    expect([image.status, image.body]).toMatchObject([406, { code: 'PGRST107' }]);
  });
});

describe('what is kept in the database', () => {
  const keep = async (text: string) => {
    const { owner, connection } = server.database;
    await owner.query(text.replaceAll(':db', connection.database ?? ''));
    await owner.query(`notify pgrst, 'reload config'`);
    // A name that nobody knows makes the service look whether it is current.
    await get('/nobody');
  };

  it('limits how long a role may take', async () => {
    await keep(`create function public.dawdle() returns text language plpgsql as $$
        begin perform pg_sleep(10); return 'done'; end $$;
      create function public.patience() returns text language sql as $$ select current_setting('statement_timeout') $$;
      grant execute on function public.dawdle, public.patience to anon, service_role`);
    expect((await rest('POST', '/rpc/patience')).json()).toBe('3s');
    const asServer = restOf(server, server.context.keys.serviceKey);
    expect((await asServer('POST', '/rpc/patience')).json()).toBe('8s');
    await keep(`alter role anon in database :db set statement_timeout = '100ms'`);
    const answer = await rest('POST', '/rpc/dawdle');
    expect([answer.status, answer.json()]).toMatchObject([
      500,
      { code: '57014', message: 'canceling statement due to statement timeout' },
    ]);
    await keep('alter role anon in database :db reset statement_timeout');
  });

  it('may name a function that every request passes', async () => {
    await keep(`create function public.gate() returns void language plpgsql as $$ begin
        if current_setting('request.headers')::json ->> 'x-closed' = 'yes' then
          raise sqlstate 'PT423' using message = 'closed';
        end if; end $$;
      grant execute on function public.gate to anon;
      alter role authenticator in database :db set pgrst.db_pre_request = 'public.gate'`);
    expect((await get('/actors?select=id&id=eq.1')).body).toEqual([{ id: 1 }]);
    const closed = await get('/actors', { 'x-closed': 'yes' });
    expect([closed.status, closed.body]).toMatchObject([423, { message: 'closed' }]);
    await keep('alter role authenticator in database :db reset pgrst.db_pre_request');
  });
});

describe('a changing schema', () => {
  it('may hold views that read themselves, and names of any kind', async () => {
    const { owner } = server.database;
    await owner.query(`
      create view public.loop_one as select 1 as x;
      create view public.loop_two as select x from public.loop_one;
      create or replace view public.loop_one as select x from public.loop_two;
      create view public.loop_alone as select 1 as x;
      create or replace view public.loop_alone as select x from public.loop_alone;
      create view public."odd (view) \\ {of}" as select id as "the id", director_id as "who (is) {it} \\" from public.films;
      grant select on public.loop_one, public.loop_alone, public."odd (view) \\ {of}" to anon`);
    for (const path of ['/loop_alone', '/loop_one']) {
      const answer = await get(path);
      expect([answer.status, answer.body]).toMatchObject([500, { code: '42P17' }]);
    }
    // The columns are known as those of the table, so its relationships are the view's.
    const odd = encodeURIComponent('odd (view) \\ {of}');
    const query = `select=${encodeURIComponent('"the id",directors(last_name)')}&limit=1&${encodeURIComponent('"the id"')}=eq.1`;
    expect((await get(`/${odd}?${query}`)).body).toEqual([
      { 'the id': 1, directors: { last_name: 'Bigelow' } },
    ]);
    await owner.query(
      'drop view public.loop_one, public.loop_two, public.loop_alone, public."odd (view) \\ {of}"',
    );
  });

  it('fails no request while it is read anew, and is no error', async () => {
    const { owner } = server.database;
    const errors = loggedErrors();
    let isOver = false;
    const seen = new Set<string>();
    await owner.query(
      `create view public.passing as select * from public.films; grant all on public.passing to anon`,
    );
    const ask = async (path: string, method = 'GET', body?: unknown) => {
      while (!isOver) {
        const headers = { prefer: 'resolution=merge-duplicates' };
        const { status, text } = await rest(method, path, { body, headers });
        seen.add(status < 300 ? String(status) : `${method} ${path}: ${status} ${text}`);
      }
    };
    const asking = Promise.all([
      ask('/films?select=id,directors(last_name)'),
      ask('/films?select=*,...directors(*)'),
      ask('/directors?select=id,films(*)'),
      ask('/passing?id=eq.1'),
      ask('/rpc/films_of?director=1'),
      ask('/rpc/years'),
      ask('/films?id=eq.1', 'PATCH', { plot: 'rewritten' }),
      ask('/technical_specs?on_conflict=film_id', 'POST', { film_id: 2, camera: 'Bolex' }),
    ]);
    for (let turn = 0; turn < 20; turn += 1) {
      await owner.query(`alter table public.films add column extra_${turn} int default ${turn}`);
      const made = await get(`/films?select=extra_${turn}&id=eq.1`);
      expect(made.body).toEqual([{ [`extra_${turn}`]: turn }]);
      await owner.query(`alter table public.films drop column extra_${turn}`);
      // What passes by: a table with a relationship, another column of what is embedded, a view and a function anew.
      // Each in a transaction of its own: one that locks several tables could meet a reader of both the other way round.
      for (const statement of [
        'create table public.passer_by (film_id int references public.films (id))',
        'alter table public.directors add column extra int',
        `create or replace view public.passing as select *, ${turn} as turn from public.films`,
        'drop table public.passer_by',
        'alter table public.directors drop column extra',
        `drop view public.passing;
          create view public.passing as select id from public.films;
          grant all on public.passing to anon`,
        `create or replace function public.years() returns setof int language sql stable
          as 'select distinct year + ${turn} from public.films order by 1'`,
      ]) {
        await owner.query(statement);
      }
    }
    isOver = true;
    await asking;
    expect([...seen].sort()).toEqual(['200', '201', '204']);
    expect(errors).toEqual([]);
  });

  it('is followed again after the connection that listens was lost', async () => {
    const { owner } = server.database;
    const { rows } = await owner.query(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
       where application_name = 'rest schema cache' and datname = current_database()`,
    );
    expect(rows).toEqual([{ ended: true }]);
    await owner.query(
      'create table public.after_loss (id int); grant select on public.after_loss to anon',
    );
    await expect.poll(async () => (await get('/after_loss')).status, { timeout: 10_000 }).toBe(200);
    await owner.query('alter table public.after_loss add column more int');
    expect((await get('/after_loss?select=more')).status).toBe(200);
  });
});
