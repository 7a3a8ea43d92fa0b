// Uploads and downloads through supabase-js; rows and files match.
import { Readable } from 'node:stream';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { agreeing, asOperator, openBucket } from '#tests/support/buckets.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
let operator: SupabaseClient;
let visitor: SupabaseClient;

beforeAll(async () => {
  server = await testServer();
  operator = asOperator(server);
  visitor = server.client();
});

afterEach(() => agreeing(server));

const address = (path: string): string => `${server.url}/storage/v1${path}`;
const read = async (bucket: string, key: string): Promise<string | undefined> =>
  (await visitor.storage.from(bucket).download(key)).data?.text();

describe('an upload', () => {
  test.each([
    ['text', () => 'hello'],
    ['bytes', () => Buffer.from('hello')],
    ['a file in a form', () => new Blob(['hello'], { type: 'text/plain' })],
    ['a stream', () => Readable.from([Buffer.from('hel'), Buffer.from('lo')])],
  ])('of %s is read back unchanged', async (_, body) => {
    const bucket = await openBucket(server);
    const { data, error } = await visitor.storage
      .from(bucket)
      .upload('folder/greeting.txt', body(), {
        contentType: 'text/plain',
        cacheControl: '60',
        metadata: { seen: 'yes' },
      });
    expect(error).toBeNull();
    expect(data).toEqual({
      path: 'folder/greeting.txt',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      fullPath: `${bucket}/folder/greeting.txt`,
    });
    expect(await read(bucket, 'folder/greeting.txt')).toBe('hello');
    expect((await visitor.storage.from(bucket).info('folder/greeting.txt')).data).toMatchObject({
      id: data?.id,
      name: 'folder/greeting.txt',
      bucketId: bucket,
      size: 5,
      contentType: 'text/plain',
      cacheControl: 'max-age=60',
      metadata: { seen: 'yes' },
    });
    const { headers, status } = await fetch(address(`/object/info/${bucket}/folder/greeting.txt`), {
      method: 'HEAD',
      headers: { authorization: `Bearer ${server.context.keys.anonKey}` },
    });
    expect([status, headers.get('content-length'), headers.get('content-type')]).toEqual([
      200,
      '5',
      'text/plain',
    ]);
    const { data: described } = await visitor.storage.from(bucket).info('folder/greeting.txt');
    expect(headers.get('etag')).toBe(described?.etag);
    const { data: all } = await operator.storage.from(bucket).list('folder');
    expect(all?.[0]?.metadata).toMatchObject({ size: 5, contentLength: 5, mimetype: 'text/plain' });
  });

  test('belongs to the signed-in user', async () => {
    const bucket = await openBucket(server);
    const { client, id } = await server.signedUp();
    await client.storage.from(bucket).upload('mine.txt', 'x');
    const { rows } = await server.database.owner.query(
      'select owner, owner_id from storage.objects where bucket_id = $1',
      [bucket],
    );
    expect(rows).toEqual([{ owner: id, owner_id: id }]);
  });

  test('is rejected if the name is taken, unless it may replace', async () => {
    const bucket = await openBucket(server);
    const files = visitor.storage.from(bucket);
    const first = await files.upload('a.txt', 'one', { metadata: { version: 1 } });
    expect((await files.upload('a.txt', 'two')).error).toMatchObject({
      message: 'The resource already exists',
      status: 400,
      statusCode: '409',
    });
    expect(await read(bucket, 'a.txt')).toBe('one');
    const second = await files.upload('a.txt', 'three', { upsert: true });
    expect(second.data?.id).toBe(first.data?.id);
    expect(await read(bucket, 'a.txt')).toBe('three');
    expect((await files.info('a.txt')).data?.metadata).toEqual({});
    await files.update('a.txt', 'four');
    expect(await read(bucket, 'a.txt')).toBe('four');
    expect((await files.update('new.txt', 'five')).error).toBeNull();
  });

  test('sent twice concurrently under one name creates one object and one error', async () => {
    const bucket = await openBucket(server);
    const both = await Promise.all(
      ['one', 'two'].map((text) => visitor.storage.from(bucket).upload('same.txt', text)),
    );
    expect(both.map(({ error }) => error?.message ?? 'stored').sort()).toEqual([
      'The resource already exists',
      'stored',
    ]);
    const replaced = await Promise.all(
      ['three', 'four', 'five'].map((text) =>
        visitor.storage.from(bucket).upload('same.txt', text, { upsert: true }),
      ),
    );
    expect(replaced.every(({ error }) => error === null)).toBe(true);
    expect(['three', 'four', 'five']).toContain(await read(bucket, 'same.txt'));
  });

  test('needs no read permission', async () => {
    const bucket = await openBucket(server);
    await server.database.owner.query(`drop policy "${bucket}" on storage.objects`);
    await server.database.owner.query(
      `create policy "${bucket} box" on storage.objects for insert to anon with check (bucket_id = '${bucket}')`,
    );
    const files = visitor.storage.from(bucket);
    expect((await files.upload('letter.txt', 'dear company')).error).toBeNull();
    expect((await files.download('letter.txt')).error).toMatchObject({ status: 400 });
    expect((await files.upload('letter.txt', 'again')).error?.message).toBe(
      'The resource already exists',
    );
    expect((await files.list()).data).toEqual([]);
    expect((await files.remove(['letter.txt'])).data).toEqual([]);
  });

  test('must meet the limits of its bucket', async () => {
    const bucket = await openBucket(server, {
      fileSizeLimit: 10,
      allowedMimeTypes: ['image/png', 'text/*'],
    });
    const files = visitor.storage.from(bucket);
    const options = { contentType: 'text/plain' };
    expect((await files.upload('ten.txt', '0123456789', options)).error).toBeNull();
    for (const body of ['0123456789a', new Blob(['0123456789a'], { type: 'text/plain' })]) {
      expect((await files.upload('eleven.txt', body, options)).error).toMatchObject({
        message: 'The object exceeded the maximum allowed size',
        statusCode: '413',
      });
    }
    const chunked = Readable.from([Buffer.from('0123456789'), Buffer.from('a')]);
    expect((await files.upload('eleven.txt', chunked, options)).error?.message).toBe(
      'The object exceeded the maximum allowed size',
    );
    expect(
      (await files.upload('a.pdf', 'x', { contentType: 'application/pdf' })).error,
    ).toMatchObject({
      message: 'mime type application/pdf is not supported',
      statusCode: '415',
    });
  });
});

describe('a download', () => {
  let bucket: string;
  let headers: Record<string, string>;
  const get = (path: string, more: Record<string, string> = {}): Promise<Response> =>
    fetch(address(path), { headers: { ...headers, ...more } });

  beforeAll(async () => {
    bucket = await openBucket(server, { public: true });
    await visitor.storage.from(bucket).upload('n.txt', 'abcdef', { contentType: 'text/plain' });
    headers = { authorization: `Bearer ${server.context.keys.anonKey}` };
  });

  test('has headers for type, size and range support', async () => {
    for (const kind of ['', 'authenticated/', 'public/']) {
      const response = await get(`/object/${kind}${bucket}/n.txt`);
      expect(await response.text()).toBe('abcdef');
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'accept-ranges': 'bytes',
        'content-type': 'text/plain',
        'content-length': '6',
        etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
        'cache-control': 'max-age=3600',
        'x-robots-tag': 'none',
        'access-control-allow-origin': '*',
      });
      expect(Date.parse(response.headers.get('last-modified') ?? '')).not.toBeNaN();
    }
  });

  test.each([
    ['bytes=1-2', 206, 'bc', 'bytes 1-2/6'],
    ['bytes=4-', 206, 'ef', 'bytes 4-5/6'],
    ['bytes=-2', 206, 'ef', 'bytes 4-5/6'],
    ['bytes=0-99', 206, 'abcdef', 'bytes 0-5/6'],
    ['bytes=-99', 206, 'abcdef', 'bytes 0-5/6'],
    ['bytes=0-1,3-4', 200, 'abcdef', null],
    ['lines=1-2', 200, 'abcdef', null],
  ])('of range %s', async (range, status, text, contentRange) => {
    const response = await get(`/object/${bucket}/n.txt`, { range });
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(text);
    expect(response.headers.get('content-range')).toBe(contentRange);
  });

  test.each(['bytes=6-', 'bytes=3-2', 'bytes=-', 'bytes=-0', 'bytes=a-b'])(
    'of range %s is rejected',
    async (range) => {
      const response = await get(`/object/${bucket}/n.txt`, { range });
      expect(response.status).toBe(416);
      expect(await response.json()).toMatchObject({ statusCode: '416', error: 'invalid_range' });
    },
  );

  test('returns 304 to a client with the current ETag', async () => {
    const first = await get(`/object/${bucket}/n.txt`);
    const etag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    expect((await get(`/object/${bucket}/n.txt`, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(`/object/${bucket}/n.txt`, { 'if-modified-since': modified })).status).toBe(
      304,
    );
    expect((await get(`/object/${bucket}/n.txt`, { 'if-none-match': '"other"' })).status).toBe(200);
    const part = { range: 'bytes=0-1', 'if-range': '"other"' };
    expect((await get(`/object/${bucket}/n.txt`, part)).status).toBe(200);
  });

  test('is saved under the requested name', async () => {
    const plain = await get(`/object/${bucket}/n.txt?download`);
    expect(plain.headers.get('content-disposition')).toBe('attachment;');
    const named = await get(`/object/${bucket}/n.txt?download=r%C3%A9sum%C3%A9%22.txt`);
    expect(named.headers.get('content-disposition')).toBe(
      "attachment; filename=r%C3%A9sum%C3%A9%22.txt; filename*=UTF-8''r%C3%A9sum%C3%A9%22.txt;",
    );
  });

  test('answers HEAD without a body', async () => {
    const files = visitor.storage.from(bucket);
    expect(await files.exists('n.txt')).toEqual({ data: true, error: null });
    expect((await files.exists('missing.txt')).data).toBe(false);
    const { status, headers: found } = await fetch(address(`/object/public/${bucket}/n.txt`), {
      method: 'HEAD',
    });
    expect([status, found.get('content-length')]).toEqual([200, '6']);
  });

  test('from a private bucket has no public URL', async () => {
    const closed = await openBucket(server);
    await visitor.storage.from(closed).upload('n.txt', 'secret');
    const response = await fetch(visitor.storage.from(closed).getPublicUrl('n.txt').data.publicUrl);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      statusCode: '404',
      error: 'Bucket not found',
      message: 'Bucket not found',
      code: 'NoSuchBucket',
    });
    const open = visitor.storage.from(bucket).getPublicUrl('n.txt').data.publicUrl;
    expect(await (await fetch(open)).text()).toBe('abcdef');
  });
});
