// Updates, PUT, deletes, preferences and methods.
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Rest } from '#tests/support/rest.ts';
import type { TestServer } from '#tests/support/server.ts';
import { type WritableTables, writableTables } from '#tests/support/writable-tables.ts';

const prepared = writableTables();
let server: TestServer;
let client: SupabaseClient;
let rest: Rest;
let rows: WritableTables['rows'];

beforeAll(() => {
  ({ server, rest, rows } = prepared());
  client = server.client();
});

const REPRESENTATION = { prefer: 'return=representation' };

describe('an update', () => {
  it.each([
    [
      '/shelf?id=eq.1',
      {},
      { label: 'x' },
      204,
      '0-0/*',
      '',
      [
        [1, 'x', 10],
        [2, 'two', 20],
        [3, 'three', 30],
      ],
    ],
    [
      '/shelf?id=gt.1',
      { prefer: 'count=exact' },
      { label: 'x' },
      204,
      '0-1/2',
      '',
      [
        [1, 'one', 10],
        [2, 'x', 20],
        [3, 'x', 30],
      ],
    ],
    [
      '/shelf?id=eq.9',
      {},
      { label: 'x' },
      204,
      '*/*',
      '',
      [
        [1, 'one', 10],
        [2, 'two', 20],
        [3, 'three', 30],
      ],
    ],
    [
      '/shelf?id=eq.9',
      REPRESENTATION,
      { label: 'x' },
      200,
      '*/*',
      [],
      [
        [1, 'one', 10],
        [2, 'two', 20],
        [3, 'three', 30],
      ],
    ],
    [
      '/shelf?id=eq.1&select=label',
      REPRESENTATION,
      { label: 'x' },
      200,
      '0-0/*',
      [{ label: 'x' }],
      [
        [1, 'x', 10],
        [2, 'two', 20],
        [3, 'three', 30],
      ],
    ],
    [
      '/shelf?or=(id.eq.1,id.eq.2)',
      {},
      { count: 0 },
      204,
      '0-1/*',
      '',
      [
        [1, 'one', 0],
        [2, 'two', 0],
        [3, 'three', 30],
      ],
    ],
    [
      '/shelf?id=eq.1',
      {},
      {},
      204,
      '*/*',
      '',
      [
        [1, 'one', 10],
        [2, 'two', 20],
        [3, 'three', 30],
      ],
    ],
    [
      '/shelf?id=eq.1',
      REPRESENTATION,
      {},
      200,
      '*/*',
      [],
      [
        [1, 'one', 10],
        [2, 'two', 20],
        [3, 'three', 30],
      ],
    ],
    [
      '/shelf',
      {},
      { count: 5 },
      204,
      '0-2/*',
      '',
      [
        [1, 'one', 5],
        [2, 'two', 5],
        [3, 'three', 5],
      ],
    ],
    [
      '/shelf?id=eq.1&columns=label',
      {},
      { label: 'x', count: 99 },
      204,
      '0-0/*',
      '',
      [
        [1, 'x', 10],
        [2, 'two', 20],
        [3, 'three', 30],
      ],
    ],
  ])('%s %j %j', async (path, headers, body, status, range, expected, after) => {
    const answer = await rest('PATCH', path, { headers: headers as Record<string, string>, body });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, range]);
    expect(answer.text === '' ? '' : answer.json()).toEqual(expected);
    expect(await rows()).toEqual(after);
    if (status === 204) {
      expect(answer.headers.get('content-type')).toBeNull();
      expect(answer.headers.get('content-length')).toBeNull();
    }
  });

  it('returns the changed rows even if they no longer match the filter', async () => {
    const { data } = await client
      .from('shelf')
      .update({ label: 'x' })
      .eq('label', 'one')
      .select('id,label');
    expect(data).toEqual([{ id: 1, label: 'x' }]);
  });

  it('of more rows than max-affected is rolled back', async () => {
    const headers = { prefer: 'handling=strict, max-affected=2' };
    const refused = await rest('PATCH', '/shelf?id=gt.0', { headers, body: { label: 'x' } });
    expect([refused.status, refused.json()]).toMatchObject([
      400,
      { code: 'PGRST124', details: 'The query affects 3 rows' },
    ]);
    expect((await rows()).map(([, label]) => label)).toEqual(['one', 'two', 'three']);
    const allowed = await rest('PATCH', '/shelf?id=gt.1', { headers, body: { label: 'x' } });
    expect([allowed.status, allowed.headers.get('preference-applied')]).toEqual([
      204,
      'handling=strict, max-affected=2',
    ]);
  });

  it('that matches no row returns an error when a single row was requested', async () => {
    const { error } = await client
      .from('shelf')
      .update({ label: 'x' })
      .eq('id', 99)
      .select()
      .single();
    expect([error?.code, error?.details]).toEqual(['PGRST116', 'The result contains 0 rows']);
  });
});

describe('a PUT', () => {
  it.each([
    ['/shelf?id=eq.7', { id: 7, count: 1 }, 201],
    ['/shelf?id=eq.1', { id: 1, count: 1 }, 204],
  ])('%s %j returns %d', async (path, body, status) => {
    const answer = await rest('PUT', path, { body });
    expect(answer.status).toBe(status);
    expect(await rows(`select id, count from public.shelf where count = 1`)).toEqual([
      [body.id, 1],
    ]);
  });

  it.each([
    ['/shelf?id=eq.7', { id: 8, count: 1 }, 400, 'PGRST115'],
    ['/shelf?id=gt.7', { id: 8, count: 1 }, 405, 'PGRST105'],
    ['/shelf', { id: 8, count: 1 }, 405, 'PGRST105'],
    ['/shelf?id=eq.8&label=eq.x', { id: 8, count: 1 }, 405, 'PGRST105'],
    ['/shelf?id=eq.8&limit=1', { id: 8, count: 1 }, 400, 'PGRST114'],
    ['/heap?label=eq.x', { label: 'x' }, 405, 'PGRST105'],
  ])('%s %j is rejected with %d %s', async (path, body, status, code) => {
    const answer = await rest('PUT', path, { body });
    expect([answer.status, answer.json()]).toMatchObject([status, { code }]);
    expect(await rows()).toHaveLength(3);
  });
});

describe('a delete', () => {
  it.each([
    ['/shelf?id=eq.1', {}, 204, '*/*', '', 2],
    ['/shelf?id=lt.3', { prefer: 'count=exact' }, 204, '*/2', '', 1],
    ['/shelf?id=eq.9', REPRESENTATION, 200, '*/*', [], 3],
    ['/shelf?id=eq.2&select=id,label', REPRESENTATION, 200, '*/*', [{ id: 2, label: 'two' }], 2],
    ['/shelf?label=in.(one,two)', {}, 204, '*/*', '', 1],
  ])('%s %j', async (path, headers, status, range, expected, left) => {
    const answer = await rest('DELETE', path, { headers: headers as Record<string, string> });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, range]);
    expect(answer.text === '' ? '' : answer.json()).toEqual(expected);
    expect(await rows()).toHaveLength(left);
  });

  it('with an invalid filter deletes nothing', async () => {
    const answer = await rest('DELETE', '/shelf?id=1');
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 'PGRST100' }]);
    expect(await rows()).toHaveLength(3);
  });
});

describe('preferences', () => {
  it('that are unknown are listed in strict handling', async () => {
    const answer = await rest('GET', '/shelf', {
      headers: { prefer: 'handling=strict, anything=goes, count=many' },
    });
    expect([answer.status, answer.json()]).toEqual([
      400,
      {
        code: 'PGRST122',
        message: 'Invalid preferences given with handling=strict',
        details: 'Invalid preferences: anything=goes, count=many',
        hint: null,
      },
    ]);
    const lenient = await rest('GET', '/shelf', {
      headers: { prefer: 'anything=goes, timezone=Africa/Monrovia' },
    });
    expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([
      200,
      'timezone=Africa/Monrovia',
    ]);
  });

  it('can roll a write back if the settings allow it', async () => {
    const owner = server.database.owner;
    const tell = (end: string) =>
      owner.query(
        `alter role authenticator in database ${server.database.connection.database} ${end}; notify pgrst, 'reload config'`,
      );
    await tell(`set pgrst.db_tx_end = 'commit-allow-override'`);
    // An unknown name triggers a check for newer settings.
    await rest('GET', '/nobody');
    const answer = await rest('DELETE', '/shelf?id=eq.1', {
      headers: { prefer: 'tx=rollback, return=representation' },
    });
    expect(answer.json()).toEqual([{ id: 1, label: 'one', count: 10, code: 'a', twice: 20 }]);
    expect(answer.headers.get('preference-applied')).toBe('return=representation, tx=rollback');
    expect(await rows()).toHaveLength(3);
    await tell('reset pgrst.db_tx_end');
  });
});

describe('OPTIONS', () => {
  it.each([
    ['/shelf', 200, 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['/heap', 200, 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    ['/rpc/add', 200, 'OPTIONS,GET,HEAD,POST'],
    ['/rpc/rename', 200, 'OPTIONS,POST'],
    ['/nobody', 404, null],
  ])('%s returns %d %s', async (path, status, allow) => {
    const answer = await rest('OPTIONS', path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow]);
  });

  it('lists the methods of a resource', async () => {
    const answer = await rest('DELETE', '/rpc/add');
    expect([answer.status, answer.json()]).toMatchObject([
      405,
      { code: 'PGRST101', message: 'Cannot use the DELETE method on RPC' },
    ]);
  });
});
