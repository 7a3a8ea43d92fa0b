// A schema that changes while requests are served.
import { beforeAll, describe, expect, it } from 'vitest';
import { type ConfiguredRest, configuredRest } from '#tests/support/configured-rest.ts';
import { loggedErrors } from '#tests/support/logged.ts';

const prepared = configuredRest();
let server: ConfiguredRest['server'];
let rest: ConfiguredRest['rest'];
let get: ConfiguredRest['get'];

beforeAll(() => {
  ({ server, rest, get } = prepared());
});

describe('a schema change', () => {
  it('supports recursive views and any object name', async () => {
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
    // The view's columns match the table's, so it has the table's relationships.
    const odd = encodeURIComponent('odd (view) \\ {of}');
    const query = `select=${encodeURIComponent('"the id",directors(last_name)')}&limit=1&${encodeURIComponent('"the id"')}=eq.1`;
    expect((await get(`/${odd}?${query}`)).body).toEqual([
      { 'the id': 1, directors: { last_name: 'Bigelow' } },
    ]);
    await owner.query(
      'drop view public.loop_one, public.loop_two, public.loop_alone, public."odd (view) \\ {of}"',
    );
  });

  it('fails no request during a reload, and logs no error', async () => {
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
      // The changes: a table with a relationship, a column of an embedded table, a view and a function replaced.
      // Each in its own transaction: one that locks several tables could deadlock with a reader of both.
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

  it('is noticed again after the listening connection was lost', async () => {
    const { owner } = server.database;
    const { rows } = await owner.query(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
       where application_name like 'node %' and datname = current_database()`,
    );
    expect(rows).toEqual([{ ended: true }]);
    await owner.query(
      'create table public.after_loss (id int); grant select on public.after_loss to anon',
    );
    await expect.poll(async () => (await get('/after_loss')).status).toBe(200);
    await owner.query('alter table public.after_loss add column more int');
    expect((await get('/after_loss?select=more')).status).toBe(200);
  });
});
