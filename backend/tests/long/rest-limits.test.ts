// Cost limits and isolation of a request: cancelled queries, settings, depth, size, long responses, plans.
import { beforeAll, describe, expect, it } from 'vitest';
import { createFilms } from '#tests/support/films.ts';
import { projectWith } from '#tests/support/project.ts';
import { type Rest, restOf } from '#tests/support/rest.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
let rest: Rest;
let strict: Rest;

beforeAll(async () => {
  server = await testServer({ PGRST_DB_PLAN_ENABLED: 'true' });
  await createFilms(server.database.owner);
  await server.database.owner.query(`
    create table public.jotted (id int primary key);
    create view public.generate as select n from generate_series(1, 1000) n;
    create function public.dawdle(seconds float8) returns void language sql volatile as 'select pg_sleep(seconds)';
    create function public.dawdle_quietly(seconds float8) returns int language sql stable
      as 'select 1 from pg_sleep(seconds)';
    create function public.remember(name text, value text) returns void language sql
      as 'select set_config(name, value, false)';
    create function public.remembered(name text) returns text language sql stable
      as 'select current_setting(name, true)';
    create function public.forget_plans() returns void language plpgsql as 'begin deallocate all; end';
    create table public.watched (id int primary key);
    alter table public.watched enable row level security;
    create policy "Noted" on public.watched using (set_config('app.seen', 'yes', false) is not null);
    insert into public.watched values (1);
    grant all on public.jotted, public.watched, public.generate to anon;
    grant execute on all functions in schema public to anon`);
  rest = restOf(server);
  const small = { max_rows: 1000 };
  const more = [
    'body_bytes = 2000',
    'embed_depth = 2',
    'embeds = 3',
    'logic_depth = 2',
    'json_depth = 4',
    'pattern_length = 10',
    'response_bytes = 3000',
    'connections_per_user = 1',
    'waiting_per_user = 2',
  ];
  const project = await projectWith({
    ...small,
    max_rows: `1000\n${more.map((line) => `max_${line}`).join('\n')}`,
  });
  const narrow = await testServer({ PROJECT_DIR: project });
  await createFilms(narrow.database.owner);
  await narrow.database.owner.query(`
    create view public.pages as select n, repeat('x', 1000) as text from generate_series(1, 20) n;
    create table public.memos (id int primary key, text text default repeat('x', 1000));
    create function public.keep_memos(count int) returns setof public.memos language sql volatile
      as 'insert into public.memos select n from generate_series(1, count) n returning *';
    create function public.dawdle(seconds float8) returns int language sql stable
      as 'select 1 from pg_sleep(seconds)';
    grant all on public.pages, public.memos to anon;
    grant execute on function public.keep_memos, public.dawdle to anon`);
  strict = restOf(narrow);
});

/** A signed-in user's requests. */
async function someone(): Promise<Rest> {
  const { client } = await server.signedUp();
  const { data } = await client.auth.getSession();
  return restOf(server, data.session?.access_token);
}

/** Running statements of callers that contain the text. */
async function running(text: string): Promise<number> {
  const { rows } = await server.database.owner.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and state = 'active' and usename = 'authenticator' and query like $1`,
    [`%${text}%`],
  );
  return rows[0]?.n ?? 0;
}

describe('a client that disconnects', () => {
  it.each([
    ['an RPC call', 'dawdle'],
    ['a read', 'dawdle_quietly'],
  ])('cancels %s in the database, and the connections stay usable', async (_what, name) => {
    const leaving = new AbortController();
    const asked = Array.from({ length: 12 }, () =>
      fetch(`${server.url}/rest/v1/rpc/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"seconds": 7}',
        signal: leaving.signal,
      }).catch((error: Error) => error.name),
    );
    // Half of the connections; the other half is waiting.
    await expect.poll(() => running(name), { interval: 20 }).toBe(4);
    leaving.abort();
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['AbortError']));
    await expect.poll(() => running(name), { interval: 20 }).toBe(0);
    const after = await Promise.all(
      Array.from({ length: 16 }, () => rest('GET', '/films?id=eq.1')),
    );
    expect(after.map(({ status }) => status)).toEqual(Array(16).fill(200));
  });
});

describe('a user with slow queries', () => {
  it.each(['a read', 'a call'])('does not block %s of another user', async (what) => {
    const [slow, other] = [await someone(), await someone()];
    const name = what === 'a read' ? 'dawdle_quietly' : 'dawdle';
    const asked = Array.from({ length: 16 }, () =>
      slow('POST', `/rpc/${name}`, { body: { seconds: 1 } }),
    );
    await expect.poll(() => running(name), { interval: 20 }).toBe(4);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, id) => other('GET', `/films?id=eq.${id}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // Only the first few slow queries can be done by now: the other user's did not wait for all of them.
    expect(await running(name)).toBe(4);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([what === 'a read' ? 200 : 204]));
  });

  it('gets 429 when too many of them are queued', async () => {
    const call = () => strict('POST', '/rpc/dawdle', { body: { seconds: 0.3 } });
    const answers = await Promise.all(Array.from({ length: 5 }, call));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status }) => status)).toEqual([429, 429]);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(refused[0]?.json()).toEqual({
      code: 'PGRST003',
      message: 'Too many requests of this caller are waiting for the database.',
      details: null,
      hint: null,
    });
    expect((await strict('GET', '/films?id=eq.1')).status).toBe(200);
  });
});

describe('a regular expression', () => {
  const [back, quotedBack] = [encodeURIComponent('(.)\\1'), encodeURIComponent('{"(.)\\\\1"}')];
  it.each([
    `title=match.${back}`,
    `title=not.imatch.${back}`,
    `title=match(any).${quotedBack}`,
    `title=imatch(all).{x,${encodeURIComponent('(.)\\\\1')}}`,
    `or=(id.eq.1,title.match.${encodeURIComponent('"(.)\\\\1"')})`,
    `and=(id.gt.0,or(id.eq.1,not.and(id.eq.2,title.imatch.${back.replace(/[()]/g, '')})))`,
    `select=id,directors(id)&directors.name=match.${back}`,
    `select=id,directors(id)&directors.or=(id.eq.1,name.match.${back.replace(/[()]/g, '')})`,
    `title=match.(((a{1,99}){1,99}){1,99})`,
    `title=match.${'x'.repeat(201)}`,
  ])('with exponential run time is rejected: %s', async (query) => {
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { rating: 'R' }]] as const) {
      const { status, json } = await rest(method, `/films?${query}`, body ? { body } : {});
      expect([method, status, json()]).toMatchObject([
        method,
        400,
        { code: '2201B', message: expect.stringMatching(/^invalid regular expression: /) },
      ]);
    }
  });

  it('of the usual kind filters rows', async () => {
    const found = await rest(
      'GET',
      `/films?select=id&title=match.${encodeURIComponent('^Y.{3}en$')}`,
    );
    expect([found.status, found.json()]).toEqual([200, [{ id: 2 }]]);
    const any = await rest('GET', '/films?select=id&title=imatch(any).{^yeelen,^detroit}&order=id');
    expect(any.status).toBe(200);
  });

  it.each([
    ['fts', '%26'],
    ['plfts', '%20'],
    ['phfts', '%20'],
    ['wfts', '%20or%20'],
  ])('and a text search of too many words are rejected: %s', async (operator, between) => {
    const words = (count: number): string =>
      Array.from({ length: count }, (_, i) => `w${i}`).join(between);
    for (const path of [
      `plot=${operator}.${words(2_000)}`,
      `plot=not.${operator}(english).${words(51)}`,
      `or=(plot.${operator}.${words(26)},not.and(id.eq.1,title.${operator}.${words(26)}))`,
      `select=id,directors(id)&directors.last_name=${operator}.${words(51)}`,
    ]) {
      const { status, json } = await rest('GET', `/films?${path}`);
      expect([path.slice(0, 40), status, json()]).toMatchObject([
        path.slice(0, 40),
        400,
        { code: 'PGRST100' },
      ]);
    }
    expect((await rest('GET', `/films?plot=${operator}.${words(20)}`)).status).toBe(200);
  });

  it('among too many is rejected', async () => {
    const list = (count: number): string => Array.from({ length: count }, () => '^Y').join(',');
    const many = await rest('GET', `/films?title=match(any).{${list(51)}}`);
    expect([many.status, many.json()]).toMatchObject([
      400,
      { message: 'The request has too many regular expressions and search terms' },
    ]);
    expect((await rest('GET', `/films?title=match(any).{${list(50)}}`)).status).toBe(200);
  });

  it('can be as long as config.toml allows', async () => {
    expect((await strict('GET', '/films?title=match.1234567890')).status).toBe(200);
    const refused = await strict('GET', '/films?title=match.12345678901');
    expect([refused.status, refused.json()]).toMatchObject([
      400,
      { message: 'invalid regular expression: longer than 10 characters' },
    ]);
  });
});

describe('a response over the limit of config.toml', () => {
  const TOO_LARGE = {
    code: '54000',
    message: 'The response is too large',
    details: 'At most 3000 bytes are allowed.',
  };
  const asks: [string, string, unknown?][] = [
    ['GET', '/pages'],
    ['POST', '/rpc/keep_memos', { count: 5 }],
    ['POST', '/memos?columns=id', [10, 11, 12, 13].map((id) => ({ id }))],
  ];

  it.each(asks)('is rejected: %s %s', async (method, path, body) => {
    const headers = { prefer: 'return=representation,missing=default' };
    const refused = await strict(method, path, { headers, ...(body !== undefined && { body }) });
    expect([refused.status, refused.json()]).toMatchObject([400, TOO_LARGE]);
    // Nothing was written, and the connection stays usable.
    expect((await strict('GET', '/memos?select=id')).json()).toEqual([]);
  });

  it('does not affect one within the limit', async () => {
    expect((await strict('GET', '/pages?limit=2')).json()).toHaveLength(2);
    const made = await strict('POST', '/rpc/keep_memos', { body: { count: 2 } });
    expect(made.json()).toHaveLength(2);
    const minimal = await strict('POST', '/memos?columns=id', {
      headers: { prefer: 'missing=default' },
      body: [10, 11, 12, 13].map((id) => ({ id })),
    });
    expect(minimal.status).toBe(201);
  });
});

describe('a setting', () => {
  const read = async (name: string) => (await rest('GET', `/rpc/remembered?name=${name}`)).json();
  /** As many at once as there are connections, so that each connection is used. */
  const everywhere = (work: () => Promise<unknown>) =>
    Promise.all(Array.from({ length: 24 }, work));

  it.each([
    ['app.tenant', 'mine', ''],
    ['statement_timeout', '1234567', '3s'],
    ['search_path', 'pg_catalog', 'public, extensions'],
    ['datestyle', 'SQL, DMY', 'ISO, MDY'],
  ])('%s left by a function does not reach another request', async (name, value, own) => {
    await everywhere(async () => {
      const { status } = await rest('POST', '/rpc/remember', { body: { name, value } });
      expect(status).toBe(204);
    });
    expect(new Set(await everywhere(() => read(name)))).toEqual(new Set([own]));
  });

  it('left by a policy does not reach another request', async () => {
    await everywhere(async () => expect((await rest('GET', '/watched')).json()).toHaveLength(1));
    expect(new Set(await everywhere(() => read('app.seen')))).toEqual(new Set(['']));
  });

  it('such as prepared statements deallocated by a function is restored', async () => {
    await everywhere(() => rest('POST', '/rpc/forget_plans'));
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => rest('GET', '/films?id=eq.1')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('a limit of config.toml', () => {
  it.each([
    ['levels of embedding', '/films?select=id,directors(films(id))', 200, ''],
    [
      'levels of embedding',
      '/films?select=id,directors(films(directors(id)))',
      400,
      'levels of embedding',
    ],
    [
      'embeds',
      '/films?select=id,a:directors(id),b:directors(id),c:directors(id),d:directors(id)',
      400,
      'embedded resources',
    ],
    ['logic', '/films?select=id&or=(id.eq.1,and(id.eq.2,id.eq.3))', 200, ''],
    ['logic', '/films?or=(id.eq.1,and(id.eq.2,or(id.eq.3,id.eq.4)))', 400, 'nested logic groups'],
  ])('on %s: %s is %i', async (_what, path, status, words) => {
    const answer = await strict('GET', path);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(words);
  });

  it('on the depth of a body', async () => {
    const body = (facts: unknown) => ({ body: { title: crypto.randomUUID(), facts } });
    expect((await strict('POST', '/films', body({ a: { b: {} } }))).status).toBe(201);
    const refused = await strict('POST', '/films', body({ a: { b: { c: {} } } }));
    expect([refused.status, refused.json()]).toMatchObject([
      400,
      { code: 'PGRST102', message: expect.stringContaining('at most 4 levels') },
    ]);
  });

  it('on the size of a body', async () => {
    const refused = await strict('POST', '/films', { body: { title: 'x'.repeat(3000) } });
    expect([refused.status, refused.json()]).toMatchObject([413, { code: 'PGRST102' }]);
  });
});

describe('a long response', () => {
  it.each([
    ['br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ])('is the same for a client that accepts %s, with the rows counted', async (takes, encoding) => {
    const answer = await rest('GET', '/generate?select=n&limit=900', {
      headers: { 'accept-encoding': takes, prefer: 'count=exact' },
    });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('content-range')).toBe('0-899/1000');
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(answer.json()).toEqual(Array.from({ length: 900 }, (_, n) => ({ n: n + 1 })));
  });
});

describe('an execution plan', () => {
  const plan = (path: string, accept: string, ask = rest) =>
    ask('GET', path, { headers: { accept } });

  it('is returned as text if enabled', async () => {
    const answer = await plan('/films?id=eq.1', 'application/vnd.pgrst.plan');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(
      'application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8',
    );
    expect(answer.text).toMatch(/^Aggregate .*\n.*Scan/s);
  });

  it('is returned as JSON with the requested options', async () => {
    const type =
      'application/vnd.pgrst.plan+json; for="text/csv"; options=verbose|settings|analyze';
    const answer = await plan('/films?id=eq.1', type);
    expect(answer.headers.get('content-type')).toBe(
      'application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|verbose|settings; charset=utf-8',
    );
    expect(answer.json()).toMatchObject([
      {
        Plan: { Output: expect.any(Array), 'Actual Rows': expect.any(Number) },
        Settings: { search_path: '"public", "public", "extensions"' },
      },
    ]);
  });

  it('of a sorted page of a view reads embedded rows for that page only', async () => {
    const page = '/recent_films?select=title,roles(character)&order=title&limit=1';
    const { text } = await plan(page, 'application/vnd.pgrst.plan; options=analyze');
    const loops = [...text.matchAll(/Aggregate .*loops=(\d+)/g)].map(([, count]) => count);
    // The embed's; Node writes the rows of the page.
    expect(loops).toEqual(['1']);
    const shown = [{ title: 'Detroit', roles: [{ character: 'unnamed' }] }];
    expect((await rest('GET', page)).json()).toEqual(shown);
    expect((await rest('GET', `${page}&roles=not.is.null`)).json()).toEqual(shown);
  });

  it('of a write does not write unless analyzed', async () => {
    const count = async () =>
      (await server.database.owner.query('select count(*)::int as n from public.jotted')).rows[0].n;
    const explain = (options: string) =>
      server
        .client()
        .from('jotted')
        .insert({ id: 1 })
        .explain({ analyze: options === 'analyze' });
    expect((await explain('')).error).toBeNull();
    expect(await count()).toBe(0);
    expect((await explain('analyze')).error).toBeNull();
    expect(await count()).toBe(1);
  });

  it('is rejected if disabled', async () => {
    const answer = await plan(
      '/films',
      'application/vnd.pgrst.plan+json; for="application/json"',
      strict,
    );
    expect([answer.status, answer.json()]).toMatchObject([
      406,
      {
        code: 'PGRST107',
        message:
          'None of these media types are available: application/vnd.pgrst.plan+json; for="application/json"',
      },
    ]);
    const either = await plan(
      '/films',
      'application/vnd.pgrst.plan+json, application/json',
      strict,
    );
    expect(either.status).toBe(200);
  });
});
