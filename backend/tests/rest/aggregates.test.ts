// Aggregate functions and computed relationships.
import { beforeAll, describe, expect, it } from 'vitest';
import { type ConfiguredRest, configuredRest } from '#tests/support/configured-rest.ts';

const prepared = configuredRest();
let server: ConfiguredRest['server'];
let rest: ConfiguredRest['rest'];
let get: ConfiguredRest['get'];

beforeAll(() => {
  ({ server, rest, get } = prepared());
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
    // In a spread embed it aggregates over the parent's rows.
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

  it('is rejected in a to-many spread', async () => {
    const answer = await get('/directors?select=...films(...technical_specs(count()))');
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'PGRST127' }]);
  });

  it('is rejected if disabled', async () => {
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

  it('can be embedded in the representation of a write', async () => {
    const headers = { prefer: 'return=representation' };
    const changed = await rest('PATCH', '/directors?id=eq.2&select=id,newest_film(title)', {
      headers,
      body: { born: 1940 },
    });
    expect(changed.json()).toEqual([{ id: 2, newest_film: { title: 'Yeelen' } }]);
  });
});
