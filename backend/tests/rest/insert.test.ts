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

describe('an insert', () => {
  it('is planned for its own columns, even if the joined column names equal those of another insert', async () => {
    const like = { 'id\u0000label': 9 };
    const refused = await rest('POST', '/shelf', { body: like });
    expect(refused.status).toBe(400);
    // Twice, so that the second uses the cached plan.
    for (const id of [9, 10]) await rest('POST', '/shelf', { body: { id, label: 'known' } });
    const again = await rest('POST', '/shelf', { body: like });
    expect([again.status, again.json()]).toEqual([400, refused.json()]);
  });

  it.each([
    ['return=minimal by default', {}, { id: 9 }, 201, '', null],
    ['minimal', { prefer: 'return=minimal' }, { id: 9 }, 201, '', 'return=minimal'],
    [
      'return=headers-only with Location',
      { prefer: 'return=headers-only' },
      { id: 9 },
      201,
      '',
      'return=headers-only',
    ],
    [
      'return=representation',
      REPRESENTATION,
      { id: 9 },
      201,
      [{ id: 9, label: null, count: 7, code: null, twice: 14 }],
      'return=representation',
    ],
  ])('supports %s', async (_what, headers, body, status, expected, applied) => {
    const sent = { count: 7, label: null, ...body };
    const answer = await rest('POST', '/shelf', { headers, body: sent });
    expect(answer.status).toBe(status);
    expect(answer.text === '' ? '' : answer.json()).toEqual(expected);
    expect(answer.headers.get('preference-applied')).toBe(applied);
    expect(answer.headers.get('location')).toBe(
      applied === 'return=headers-only' ? '/shelf?id=eq.9' : null,
    );
    expect(answer.headers.get('content-length')).toBe(String(answer.text.length));
    expect(answer.headers.get('content-type')).toBe(
      expected === '' ? null : 'application/json; charset=utf-8',
    );
  });

  it('of many rows keeps their order and counts them', async () => {
    const body = [
      { id: 12, count: 1 },
      { count: 2, id: 11 },
    ];
    const answer = await rest('POST', '/shelf?select=id', {
      headers: { prefer: 'return=representation, count=exact' },
      body,
    });
    expect(answer.json()).toEqual([{ id: 12 }, { id: 11 }]);
    expect(answer.headers.get('content-range')).toBe('*/2');
    expect(answer.headers.get('preference-applied')).toBe('return=representation, count=exact');
  });

  it('fills missing columns with null, or with the default on request', async () => {
    const body = [{ note: 'x' }, { id: 50, label: 'given', note: 'y' }];
    const path = '/tags?columns=id,label,note&select=id,label,note';
    const filled = await rest('POST', path, {
      headers: { prefer: 'return=representation, missing=default' },
      body,
    });
    expect(filled.json()).toEqual([
      { id: 1, label: 'none', note: 'x' },
      { id: 50, label: 'given', note: 'y' },
    ]);
    expect(filled.headers.get('preference-applied')).toBe('missing=default, return=representation');
    const nulls = await rest('POST', '/tags?columns=label,note&select=label,note', {
      headers: REPRESENTATION,
      body,
    });
    expect(nulls.json()).toEqual([
      { label: null, note: 'x' },
      { label: 'given', note: 'y' },
    ]);
  });

  it('ignores keys outside `columns`, and accepts CSV, forms and empty objects', async () => {
    await rest('POST', '/tags?columns=label', {
      body: { label: 'a', note: 'dropped', nonsense: 1 },
    });
    await rest('POST', '/tags', {
      headers: { 'content-type': 'text/csv' },
      raw: 'label,note\nb,NULL\n"c,""d""",\n',
    });
    await rest('POST', '/tags', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      raw: 'label=e%20f&note=g',
    });
    expect((await rest('POST', '/tags', { body: {} })).status).toBe(201);
    expect((await rest('POST', '/tags', { body: [{}, {}] })).status).toBe(201);
    expect((await rest('POST', '/tags', { body: [] })).status).toBe(201);
    expect(await rows('select label, note from public.tags order by id')).toEqual([
      ['a', null],
      ['b', null],
      ['c,"d"', ''],
      ['e f', 'g'],
      ['none', null],
      ['none', null],
      ['none', null],
    ]);
  });

  it('keeps every digit of a number', async () => {
    await server.database.owner.query(
      'create table public.big (n numeric, b bigint, j jsonb); grant all on public.big to anon',
    );
    const raw = '{"n": 12345678901234567890.123456789, "b": 9007199254740993, "j": {"x": 1.10}}';
    const answer = await rest('POST', '/big', { headers: REPRESENTATION, raw });
    expect(answer.text).toBe(
      '[{"n":12345678901234567890.123456789,"b":9007199254740993,"j":{"x": 1.10}}]',
    );
  });

  it('can embed the parent of the new row', async () => {
    const { data, status } = await client
      .from('films')
      .insert({ title: 'Wanda', director_id: 3 })
      .select('title,directors(last_name)')
      .single();
    expect([status, data]).toEqual([201, { title: 'Wanda', directors: { last_name: 'DuVernay' } }]);
  });
});

describe('an invalid insert', () => {
  it.each([
    [
      'a duplicate key',
      { id: 1 },
      409,
      '23505',
      'duplicate key value violates unique constraint "shelf_pkey"',
    ],
    [
      'a null in a NOT NULL column',
      { id: 9, count: null },
      400,
      '23502',
      'null value in column "count" of relation "shelf" violates not-null constraint',
    ],
    [
      'a word instead of a number',
      { id: 'x' },
      400,
      '22P02',
      'invalid input syntax for type integer: "x"',
    ],
    [
      'an unknown column',
      { id: 9, colour: 1 },
      400,
      'PGRST204',
      `Could not find the 'colour' column of 'shelf' in the schema cache`,
    ],
    [
      'objects with different keys',
      [{ id: 9 }, { label: 'x' }],
      400,
      'PGRST102',
      'All object keys must match',
    ],
    ['a list of numbers', [1, 2], 400, 'PGRST102', 'All object keys must match'],
    [
      'a value for a generated column',
      { id: 9, twice: 3 },
      400,
      '428C9',
      'cannot insert a non-DEFAULT value into column "twice"',
    ],
    ['a NUL', { id: 9, label: 'a\u0000b' }, 400, '22P05', 'unsupported Unicode escape sequence'],
  ])('fails with %s', async (_what, body, status, code, message) => {
    const answer = await rest('POST', '/shelf', { body });
    expect([answer.status, answer.json()]).toMatchObject([status, { code, message }]);
    expect(await rows()).toHaveLength(3);
  });

  it.each([
    ['malformed JSON', '{"id": ', 'application/json', 'Empty or invalid json'],
    ['nothing', '', 'application/json', 'Empty or invalid json'],
    ['uneven CSV', 'id,label\n1', 'text/csv', 'All lines must have same number of fields'],
    [
      'an unknown media type',
      'id: 1',
      'application/yaml',
      'Content-Type not acceptable: application/yaml',
    ],
    [
      'deep nesting',
      `{"id":9,"label":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      'application/json',
      'The JSON is nested too deeply: at most 500 levels are allowed',
    ],
  ])('is rejected with %s', async (_what, raw, type, message) => {
    const answer = await rest('POST', '/shelf', { headers: { 'content-type': type }, raw });
    expect([answer.status, answer.json()]).toEqual([
      400,
      { code: 'PGRST102', message, details: null, hint: null },
    ]);
  });

  it('is rejected with invalid UTF-8 or a body over the limit of one megabyte', async () => {
    const broken = await rest('POST', '/shelf', {
      raw: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect([broken.status, broken.json()]).toMatchObject([400, { code: '22021' }]);
    const large = await rest('POST', '/shelf', { body: { id: 9, label: 'x'.repeat(1_100_000) } });
    expect([large.status, large.json()]).toMatchObject([
      413,
      { message: 'The body is larger than this service accepts' },
    ]);
  });

  it('of two rows is rejected and rolled back when a single row was requested', async () => {
    const { error, status } = await client
      .from('shelf')
      .insert([{ id: 8 }, { id: 9 }].map((row) => ({ ...row, count: 1 })))
      .select()
      .single();
    expect([status, error?.code, error?.details]).toEqual([
      406,
      'PGRST116',
      'The result contains 2 rows',
    ]);
    expect(await rows()).toHaveLength(3);
  });
});

describe('an upsert', () => {
  it.each([
    ['updates one', { id: 1, label: 'new', count: 1 }, {}, 200, [[1, 'new', 1]]],
    ['inserts one', { id: 7, label: 'seven', count: 1 }, {}, 201, [[7, 'seven', 1]]],
    [
      'does both',
      [
        { id: 1, label: 'n', count: 1 },
        { id: 7, label: 'm', count: 1 },
      ],
      {},
      201,
      [
        [1, 'n', 1],
        [7, 'm', 1],
      ],
    ],
    [
      'keeps existing rows',
      [
        { id: 1, label: 'n', count: 1 },
        { id: 7, label: 'm', count: 1 },
      ],
      { ignoreDuplicates: true },
      201,
      [
        [1, 'one', 10],
        [7, 'm', 1],
      ],
    ],
  ])('%s', async (_what, body, options, status, expected) => {
    const answer = await client.from('shelf').upsert(body, options);
    expect([answer.status, answer.error]).toEqual([status, null]);
    expect(
      await rows(
        'select id, label, count from public.shelf where id in (1, 7) and (id = 7 or true) order by id',
      ),
    ).toEqual(expect.arrayContaining(expected));
  });

  it('uses the columns of on_conflict, and returns only inserted rows when duplicates are ignored', async () => {
    const merged = await client
      .from('shelf')
      .upsert({ id: 99, code: 'b', count: 5 }, { onConflict: 'code' })
      .select('id,code,count');
    expect([merged.status, merged.data]).toEqual([200, [{ id: 99, code: 'b', count: 5 }]]);
    const ignored = await client
      .from('shelf')
      .upsert(
        [
          { id: 1, count: 1 },
          { id: 8, count: 1 },
        ],
        { ignoreDuplicates: true },
      )
      .select('id');
    expect(ignored.data).toEqual([{ id: 8 }]);
    const raw = await rest('POST', '/shelf', {
      headers: { prefer: 'resolution=merge-duplicates' },
      body: { id: 1, count: 1 },
    });
    expect(raw.headers.get('preference-applied')).toBe('resolution=merge-duplicates');
  });

  it('of an empty list does nothing', async () => {
    const merged = await rest('POST', '/shelf', {
      headers: { prefer: 'resolution=merge-duplicates,return=representation' },
      body: [],
    });
    expect([merged.status, merged.json()]).toEqual([200, []]);
  });

  it('with the same row twice is a client error', async () => {
    const answer = await client.from('shelf').upsert([
      { id: 1, count: 1 },
      { id: 1, count: 2 },
    ]);
    expect([answer.status, answer.error?.code]).toEqual([400, '21000']);
    expect(await rows()).toContainEqual([1, 'one', 10]);
  });
});
