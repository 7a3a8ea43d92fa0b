// Resource embedding: hints, junctions, views, depth, nested filters and colliding names.
import { beforeAll, describe, expect, it } from 'vitest';
import { createFilms } from '#tests/support/films.ts';
import { type Rest, restOf } from '#tests/support/rest.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
let rest: Rest;

beforeAll(async () => {
  server = await testServer();
  await createFilms(server.database.owner);
  await server.database.owner.query(`
    create table public.crews (film_id int references public.films (id), actor_id int references public.actors (id),
      job text, primary key (film_id, actor_id));
    insert into public.crews values (1, 3, 'stunts'), (2, 1, 'light');
    create view public.cast_list as select r.film_id, r.actor_id, r.character from public.roles r;
    create table public.orders (year int, number int, primary key (year, number));
    create table public.order_lines (year int, number int, line int, item text, primary key (year, number, line),
      foreign key (year, number) references public.orders (year, number));
    insert into public.orders values (2026, 1), (2026, 2);
    insert into public.order_lines values (2026, 1, 1, 'radio'), (2026, 1, 2, 'torch');
    create table public.logs (id int, at date, film_id int references public.films (id), primary key (id, at)) partition by range (at);
    create table public.logs_2026 partition of public.logs for values from ('2026-01-01') to ('2027-01-01');
    insert into public.logs values (1, '2026-05-05', 1);
    create schema inner_part; grant usage on schema inner_part to anon;
    create view inner_part.all_films as select id, title, director_id from public.films;
    create view public.shown_films as select id, title, director_id from inner_part.all_films;
    create table public.members (id int primary key, name text);
    create table public.friends (member_id int references public.members, friend_id int references public.members, primary key (member_id, friend_id));
    insert into public.members values (1, 'a'), (2, 'b'), (3, 'c'); insert into public.friends values (1, 2), (1, 3), (2, 3);
    grant select on all tables in schema public to anon`);
  rest = restOf(server);
});

const get = async (path: string) => {
  const answer = await rest('GET', path);
  return { status: answer.status, body: answer.json() };
};

describe('an embed', () => {
  it.each([
    // Two junctions connect films and actors: the hint chooses one.
    ['/films?select=actors!crews(name)&id=eq.1', [{ actors: [{ name: 'David' }] }]],
    [
      '/films?select=cast:actors!roles(name),crew:actors!crews(name)&id=eq.1&cast.order=name.desc',
      [{ cast: [{ name: 'Lori' }, { name: 'Keanu' }], crew: [{ name: 'David' }] }],
    ],
    [
      '/films?select=actors!roles(name,messages!messages_sender_fkey(body))&id=eq.1&actors.order=id&actors.limit=1',
      [{ actors: [{ name: 'Keanu', messages: [{ body: 'hello' }] }] }],
    ],
    [
      '/films?select=id,actors!roles!inner(name)&actors.name=like.K*',
      [{ id: 1, actors: [{ name: 'Keanu' }] }],
    ],
    ['/films?select=id,roles!left(character)&id=eq.2', [{ id: 2, roles: [] }]],
    [
      '/films?select=id,cast_list(character)&id=eq.3',
      [{ id: 3, cast_list: [{ character: 'King' }] }],
    ],
    [
      '/cast_list?select=character,films(title),actors(name)&film_id=eq.3',
      [{ character: 'King', films: { title: 'Selma' }, actors: { name: 'David' } }],
    ],
    [
      '/orders?select=number,order_lines(item)&order=number&order_lines.order=line.desc',
      [
        { number: 1, order_lines: [{ item: 'torch' }, { item: 'radio' }] },
        { number: 2, order_lines: [] },
      ],
    ],
    [
      '/order_lines?select=item,orders(year,number)&line=eq.2',
      [{ item: 'torch', orders: { year: 2026, number: 1 } }],
    ],
    ['/logs?select=id,films(title)', [{ id: 1, films: { title: 'Point Break' } }]],
    ['/films?select=id,logs(at)&id=eq.1', [{ id: 1, logs: [{ at: '2026-05-05' }] }]],
    [
      '/films?select=id,roles(character)&id=eq.1&roles.or=(character.eq.Utah,character.eq.Nobody)',
      [{ id: 1, roles: [{ character: 'Utah' }] }],
    ],
    [
      '/films?select=id,roles(character)&id=eq.1&roles.not.or=(character.eq.Utah,character.eq.Nobody)',
      [{ id: 1, roles: [{ character: 'Tyler' }] }],
    ],
    [
      '/directors?select=id,films(id,roles(character,actors(name)))&id=eq.3',
      [{ id: 3, films: [{ id: 3, roles: [{ character: 'King', actors: { name: 'David' } }] }] }],
    ],
    ['/directors?select=id,films(id)&id=eq.1&films.roles.character=eq.x', null],
    [
      '/films?select=d:directors(*),...technical_specs(camera)&id=eq.3',
      [
        {
          d: { id: 3, first_name: 'Ava', last_name: 'DuVernay', born: 1972, mentor_id: 1 },
          camera: 'Arri',
        },
      ],
    ],
    [
      '/films?select=id,...directors(...mentor_id(boss:last_name))&id=eq.3',
      [{ id: 3, boss: 'Bigelow' }],
    ],
    [
      '/films?select=id,lead:facts->lead,directors(age:born::text)&id=eq.1',
      [{ id: 1, lead: { name: 'Utah' }, directors: { age: '1951' } }],
    ],
    ['/films?or=(plot.fts(english).wave,id.eq.2)&select=id&order=id', [{ id: 1 }, { id: 2 }]],
    ['/films?or=(id.not.in.(1,2,3),title.is.NULL)&select=id&order=id', [{ id: 4 }, { id: 5 }]],
    ['/films?title=like.%25reak&select=id', [{ id: 1 }]],
  ])('%s', async (path, expected) => {
    const { status, body } = await get(path);
    if (expected === null) expect([status, body]).toMatchObject([400, { code: 'PGRST108' }]);
    else expect([status, body]).toEqual([200, expected]);
  });

  it('through two junctions is ambiguous without a hint', async () => {
    const { status, body } = await get('/films?select=actors(name)');
    expect(status).toBe(300);
    expect(body).toMatchObject({
      code: 'PGRST201',
      details: [
        // A view with the whole key of a junction is a junction too.
        {
          cardinality: 'many-to-many',
          embedding: 'films with actors',
          relationship:
            'cast_list using roles_film_id_fkey(film_id) and roles_actor_id_fkey(actor_id)',
        },
        {
          cardinality: 'many-to-many',
          embedding: 'films with actors',
          relationship: 'crews using crews_film_id_fkey(film_id) and crews_actor_id_fkey(actor_id)',
        },
        {
          cardinality: 'many-to-many',
          embedding: 'films with actors',
          relationship: 'roles using roles_film_id_fkey(film_id) and roles_actor_id_fkey(actor_id)',
        },
      ],
      hint: `Try changing 'actors' to one of the following: 'actors!cast_list', 'actors!crews', 'actors!roles'. Find the desired relationship in the 'details' key.`,
    });
  });

  it.each([
    [
      '/films?select=id,directors(id),directors(born)',
      400,
      '42712',
      'table name "films_directors_1" specified more than once',
    ],
    ['/films?select=id,directors(nope)', 400, '42703', 'column directors_1.nope does not exist'],
    [
      '/films?select=id,directors(id)&directors=eq.1',
      400,
      'PGRST120',
      `Bad operator on the 'directors' embedded resource`,
    ],
    [
      '/films?select=id,roles(film_id)&order=roles(film_id)',
      400,
      'PGRST118',
      `A related order on 'roles' is not possible`,
    ],
    [
      '/films?select=id&order=directors(born)',
      400,
      'PGRST108',
      `'directors' is not an embedded resource in this request`,
    ],
    [
      '/films?select=id,directors!wrong(id)',
      400,
      'PGRST200',
      `Could not find a relationship between 'films' and 'directors' in the schema cache`,
    ],
    [
      '/films?select=id,directors(id',
      400,
      'PGRST100',
      '"failed to parse select parameter (id,directors(id)" (line 1, column 16)',
    ],
  ])('%s is rejected: %d %s', async (path, status, code, message) => {
    const answer = await get(path);
    expect([answer.status, answer.body]).toMatchObject([status, { code, message }]);
  });
});

describe('the representation of a write', () => {
  const headers = { prefer: 'return=representation' };

  it('embeds to-many resources, through junctions, in order', async () => {
    const changed = await rest(
      'PATCH',
      '/films?id=in.(1,3)&select=id,actors!roles(name),roles(character)&roles.order=character&actors.order=name&order=id.desc',
      { headers, body: { plot: 'told again' } },
    );
    expect(changed.json()).toEqual([
      { id: 3, actors: [{ name: 'David' }], roles: [{ character: 'King' }] },
      {
        id: 1,
        actors: [{ name: 'Keanu' }, { name: 'Lori' }],
        roles: [{ character: 'Tyler' }, { character: 'Utah' }],
      },
    ]);
  });

  it('under an alias is filtered and ordered by its own name too', async () => {
    const path = '/directors?select=id,made:films(id)&films.id=eq.2&made.id=lt.9&id=eq.2';
    const found = await rest('GET', path);
    expect([found.status, found.json()]).toEqual([200, [{ id: 2, made: [{ id: 2 }] }]]);
    const ordered = await rest(
      'GET',
      '/films?select=id,by:directors(id)&order=directors(id).desc,id&limit=1&director_id=not.is.null',
    );
    expect(ordered.status).toBe(200);
  });

  it('follows a view through a schema that is not exposed', async () => {
    const found = await rest('GET', '/shown_films?select=title,directors(last_name)&id=eq.1');
    expect([found.status, found.json()]).toMatchObject([
      200,
      [{ directors: { last_name: 'Bigelow' } }],
    ]);
  });

  it('can consist of embedded resources only', async () => {
    const changed = await rest('PATCH', '/films?id=eq.1&select=directors(last_name)', {
      headers,
      body: { plot: 'x' },
    });
    expect(changed.json()).toEqual([{ directors: { last_name: 'Bigelow' } }]);
  });

  it('needs no rights on other columns', async () => {
    await server.database.owner.query(`
      create table public.half_open (id int primary key, open text, secret text);
      grant insert, update, delete on public.half_open to anon; grant select (id, open) on public.half_open to anon`);
    const made = await rest('POST', '/half_open?select=id,open', {
      headers,
      body: { id: 1, open: 'a', secret: 'b' },
    });
    expect([made.status, made.json()]).toEqual([201, [{ id: 1, open: 'a' }]]);
    const blind = await rest('POST', '/half_open', { body: { id: 2, secret: 'c' } });
    expect(blind.status).toBe(201);
    const all = await rest('POST', '/half_open', { headers, body: { id: 3 } });
    expect([all.status, all.json()]).toMatchObject([401, { code: '42501' }]);
  });
});
