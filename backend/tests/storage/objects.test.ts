// Buckets and objects through supabase-js: sent, read, listed, moved, copied, signed and removed; rows and files agree.
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

test('the service tells its version', async () => {
  const response = await fetch(address('/version'));
  expect(response.status).toBe(200);
  expect(await response.text()).toMatch(/^\d+\.\d+\.\d+$/);
});

describe('buckets', () => {
  test('that SQL made with column owner only show it', async () => {
    const owner = crypto.randomUUID();
    await server.database.owner.query(
      `insert into storage.buckets (id, name, owner) values ('by-sql', 'by-sql', $1)`,
      [owner],
    );
    expect((await operator.storage.getBucket('by-sql')).data?.owner).toBe(owner);
    await operator.storage.deleteBucket('by-sql');
  });

  test('are created, shown, changed, emptied and deleted with the service key', async () => {
    const made = await operator.storage.createBucket('papers', {
      public: false,
      fileSizeLimit: '20mb',
      allowedMimeTypes: ['image/*'],
    });
    expect(made).toEqual({ data: { name: 'papers' }, error: null });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const shown = {
      id: 'papers',
      name: 'papers',
      owner: '',
      public: false,
      file_size_limit: 20_000_000,
      allowed_mime_types: ['image/*'],
      created_at: time,
      updated_at: time,
    };
    expect((await operator.storage.getBucket('papers')).data).toEqual(shown);
    const { data: list } = await operator.storage.listBuckets({ search: 'PAPER' });
    expect(list).toEqual([{ ...shown, type: 'STANDARD' }]);

    const changed = await operator.storage.updateBucket('papers', {
      public: true,
      fileSizeLimit: null,
    });
    expect(changed.data).toEqual({ message: 'Successfully updated' });
    expect((await operator.storage.getBucket('papers')).data).toMatchObject({
      public: true,
      file_size_limit: null,
      allowed_mime_types: ['image/*'],
    });

    await operator.storage.from('papers').upload('a.png', 'x', { contentType: 'image/png' });
    const refused = await operator.storage.deleteBucket('papers');
    expect(refused.error).toMatchObject({
      message: 'The bucket you tried to delete is not empty',
      status: 400,
      statusCode: '409',
    });
    expect((await operator.storage.emptyBucket('papers')).data?.message).toBe(
      'Empty bucket has been queued. Completion may take up to an hour.',
    );
    expect((await operator.storage.deleteBucket('papers')).data).toEqual({
      message: 'Successfully deleted',
    });
    expect((await operator.storage.getBucket('papers')).error).toMatchObject({
      message: 'Bucket not found',
      statusCode: '404',
    });
  });

  test('are neither seen nor made nor emptied without it', async () => {
    const bucket = await openBucket(server);
    expect((await visitor.storage.listBuckets()).data).toEqual([]);
    expect((await visitor.storage.getBucket(bucket)).error?.message).toBe('Bucket not found');
    expect((await visitor.storage.createBucket('mine')).error).toMatchObject({
      message: 'new row violates row-level security policy',
      status: 400,
      statusCode: '403',
    });
    expect((await visitor.storage.updateBucket(bucket, { public: true })).error?.message).toBe(
      'Bucket not found',
    );
    expect((await visitor.storage.deleteBucket(bucket)).error?.message).toBe('Bucket not found');
    expect((await visitor.storage.emptyBucket(bucket)).error).toMatchObject({
      message: 'Access denied: Invalid role',
      status: 403,
    });
  });

  test('have a name of their own', async () => {
    const bucket = await openBucket(server);
    expect((await operator.storage.createBucket(bucket)).error).toMatchObject({
      message: 'The resource already exists',
      statusCode: '409',
    });
    for (const name of ['a/b', '', ' a', 'a'.repeat(101), 'ä', 'a\n']) {
      expect((await operator.storage.createBucket(name)).error?.message, name).toBe(
        'Bucket name invalid',
      );
    }
    const response = await fetch(address('/bucket'), {
      method: 'POST',
      headers: { authorization: `Bearer ${server.context.keys.serviceKey}` },
      body: '{}',
    });
    expect(await response.json()).toMatchObject({
      message: "body must have required property 'name'",
      error: 'Error',
      statusCode: '400',
    });
  });

  test('are made by migrations too', async () => {
    const { data } = await operator.storage.getBucket('documents');
    expect(data).toMatchObject({ public: false, file_size_limit: 10 * 1024 * 1024 });
  });
});

describe('an upload', () => {
  test.each([
    ['text', () => 'hello'],
    ['bytes', () => Buffer.from('hello')],
    ['a file in a form', () => new Blob(['hello'], { type: 'text/plain' })],
    ['a stream', () => Readable.from([Buffer.from('hel'), Buffer.from('lo')])],
  ])('of %s is read back as it was', async (_, body) => {
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

  test('belongs to whoever is signed in', async () => {
    const bucket = await openBucket(server);
    const { client, id } = await server.signedUp();
    await client.storage.from(bucket).upload('mine.txt', 'x');
    const { rows } = await server.database.owner.query(
      'select owner, owner_id from storage.objects where bucket_id = $1',
      [bucket],
    );
    expect(rows).toEqual([{ owner: id, owner_id: id }]);
  });

  test('takes no name that is taken, unless it may replace', async () => {
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

  test('twice at once under one name is one object, and one is told', async () => {
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

  test('needs no right to read', async () => {
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

  test('keeps to the limits of its bucket', async () => {
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

  test('says what it is, and that it may be had in parts', async () => {
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
    'of range %s is refused',
    async (range) => {
      const response = await get(`/object/${bucket}/n.txt`, { range });
      expect(response.status).toBe(416);
      expect(await response.json()).toMatchObject({ statusCode: '416', error: 'invalid_range' });
    },
  );

  test('is not sent again to who has it', async () => {
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

  test('is saved under the name that is asked for', async () => {
    const plain = await get(`/object/${bucket}/n.txt?download`);
    expect(plain.headers.get('content-disposition')).toBe('attachment;');
    const named = await get(`/object/${bucket}/n.txt?download=r%C3%A9sum%C3%A9%22.txt`);
    expect(named.headers.get('content-disposition')).toBe(
      "attachment; filename=r%C3%A9sum%C3%A9%22.txt; filename*=UTF-8''r%C3%A9sum%C3%A9%22.txt;",
    );
  });

  test('can be asked for without being sent', async () => {
    const files = visitor.storage.from(bucket);
    expect(await files.exists('n.txt')).toEqual({ data: true, error: null });
    expect((await files.exists('missing.txt')).data).toBe(false);
    const { status, headers: found } = await fetch(address(`/object/public/${bucket}/n.txt`), {
      method: 'HEAD',
    });
    expect([status, found.get('content-length')]).toEqual([200, '6']);
  });

  test('of a private bucket has no public address', async () => {
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

describe('a list', () => {
  let bucket: string;
  beforeAll(async () => {
    bucket = await openBucket(server);
    for (const key of [
      'b.txt',
      'a/1.txt',
      'a/2.txt',
      'a/deep/3.txt',
      'c/4.txt',
      'A.txt',
      'ab.txt',
    ]) {
      await visitor.storage.from(bucket).upload(key, key);
    }
  });
  const names = async (
    path: string,
    options: Parameters<ReturnType<SupabaseClient['storage']['from']>['list']>[1] = {},
  ): Promise<string[] | undefined> =>
    (await visitor.storage.from(bucket).list(path, options)).data?.map(({ name }) => name);

  test('shows what lies directly in a folder, folders first', async () => {
    expect(await names('')).toEqual(['a', 'c', 'A.txt', 'ab.txt', 'b.txt']);
    expect(await names('a')).toEqual(['deep', '1.txt', '2.txt']);
    expect(await names('a/')).toEqual(['deep', '1.txt', '2.txt']);
    expect(await names('a/deep')).toEqual(['3.txt']);
    expect(await names('nowhere')).toEqual([]);
    const { data } = await visitor.storage.from(bucket).list('');
    expect(data?.[0]).toEqual({
      name: 'a',
      id: null,
      updated_at: null,
      created_at: null,
      last_accessed_at: null,
      metadata: null,
    });
    expect(data?.[2]).toMatchObject({
      id: expect.any(String),
      metadata: { eTag: expect.any(String), size: 5, httpStatusCode: 200 },
    });
  });

  test('is searched, sorted and paged', async () => {
    expect(await names('', { search: 'a' })).toEqual(['a', 'A.txt', 'ab.txt']);
    expect(await names('', { sortBy: { column: 'name', order: 'desc' } })).toEqual([
      'c',
      'a',
      'b.txt',
      'ab.txt',
      'A.txt',
    ]);
    expect(await names('', { limit: 2, offset: 1 })).toEqual(['c', 'A.txt']);
    expect(await names('', { sortBy: { column: 'created_at', order: 'desc' } })).toEqual([
      'c',
      'a',
      'ab.txt',
      'A.txt',
      'b.txt',
    ]);
  });

  test('goes page by page through everything under a prefix', async () => {
    const walk = async (options: object): Promise<string[][]> => {
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const { data, error } = await visitor.storage
          .from(bucket)
          .listV2({ limit: 2, ...options, ...(cursor ? { cursor } : {}) });
        if (error) throw error;
        pages.push([...data.folders, ...data.objects].map(({ name }) => name));
        cursor = data.nextCursor;
        expect(data.hasNext).toBe(cursor !== undefined);
      } while (cursor !== undefined);
      return pages;
    };
    expect(await walk({})).toEqual([
      ['A.txt', 'a/1.txt'],
      ['a/2.txt', 'a/deep/3.txt'],
      ['ab.txt', 'b.txt'],
      ['c/4.txt'],
    ]);
    expect(await walk({ prefix: 'a/' })).toEqual([['a/1.txt', 'a/2.txt'], ['a/deep/3.txt']]);
    expect((await walk({ with_delimiter: true })).flat().sort()).toEqual(
      ['A.txt', 'a/', 'ab.txt', 'b.txt', 'c/'].sort(),
    );
    expect((await walk({ prefix: 'a/', with_delimiter: true })).flat().sort()).toEqual(
      ['a/1.txt', 'a/2.txt', 'a/deep/'].sort(),
    );
    for (const column of ['name', 'created_at'] as const) {
      const up = (await walk({ sortBy: { column, order: 'asc' } })).flat();
      const down = (await walk({ sortBy: { column, order: 'desc' } })).flat();
      expect(up).toHaveLength(7);
      expect(down).toEqual(up.reverse());
    }
    const { data } = await visitor.storage.from(bucket).listV2({ with_delimiter: true });
    expect(data?.folders[0]).toMatchObject({ key: 'a', name: 'a/' });
  });
});

describe('an object', () => {
  test('is moved and copied, within its bucket and to another', async () => {
    const [here, there] = [await openBucket(server), await openBucket(server)];
    const files = visitor.storage.from(here);
    await files.upload('a.txt', 'text', { metadata: { kind: 'note' } });
    const { data: before } = await files.info('a.txt');

    expect((await files.move('a.txt', 'folder/b.txt')).data).toMatchObject({
      message: 'Successfully moved',
    });
    expect((await files.info('folder/b.txt')).data?.id).toBe(before?.id);
    expect((await files.info('a.txt')).error?.message).toBe('Object not found');

    expect((await files.copy('folder/b.txt', 'c.txt')).data).toEqual({ path: `${here}/c.txt` });
    const { data: copy } = await files.info('c.txt');
    expect(copy?.metadata).toEqual({ kind: 'note' });
    expect(copy?.id).not.toBe(before?.id);

    await files.move('c.txt', 'd.txt', { destinationBucket: there });
    await files.copy('folder/b.txt', 'e.txt', { destinationBucket: there });
    expect(await read(there, 'd.txt')).toBe('text');
    expect(await read(there, 'e.txt')).toBe('text');

    expect((await files.move('missing', 'x')).error?.message).toBe('Object not found');
    expect((await files.copy('missing', 'x')).error?.message).toBe('Object not found');
    await files.upload('taken.txt', 'other');
    for (const how of ['move', 'copy'] as const) {
      expect((await files[how]('folder/b.txt', 'taken.txt')).error?.message).toBe(
        'The resource already exists',
      );
      expect(
        (await files[how]('taken.txt', 'x', { destinationBucket: 'nowhere' })).error?.message,
      ).toBe('Bucket not found');
    }
  });

  test('moved to a bucket keeps to its limits', async () => {
    const bucket = await openBucket(server);
    const small = await openBucket(server, { fileSizeLimit: 3 });
    const pictures = await openBucket(server, { allowedMimeTypes: ['image/*'] });
    const files = visitor.storage.from(bucket);
    await files.upload('a.txt', 'text');
    for (const how of ['move', 'copy'] as const) {
      expect((await files[how]('a.txt', 'a', { destinationBucket: small })).error?.message).toBe(
        'The object exceeded the maximum allowed size',
      );
      expect(
        (await files[how]('a.txt', 'a', { destinationBucket: pictures })).error?.message,
      ).toContain('is not supported');
    }
  });

  test('is removed, alone or with others', async () => {
    const bucket = await openBucket(server);
    const files = visitor.storage.from(bucket);
    for (const key of ['a', 'b', 'c']) await files.upload(key, key);
    const { data } = await files.remove(['a', 'missing', 'b']);
    expect(data?.map(({ name }) => name).sort()).toEqual(['a', 'b']);
    expect(data?.[0]).toMatchObject({ bucket_id: bucket, metadata: { size: 1 } });
    const one = await fetch(address(`/object/${bucket}/c`), {
      method: 'DELETE',
      headers: { authorization: `Bearer ${server.context.keys.anonKey}` },
    });
    expect(await one.json()).toEqual({ message: 'Successfully deleted' });
    expect((await files.list()).data).toEqual([]);
  });

  test('removed by SQL takes its file with it', async () => {
    const bucket = await openBucket(server);
    await visitor.storage.from(bucket).upload('a', 'a');
    await server.database.owner.query('delete from storage.objects where bucket_id = $1', [bucket]);
    await visitor.storage.from(bucket).upload('b', 'b');
    await visitor.storage.from(bucket).remove(['b']);
  });
});

describe('a signed address', () => {
  test('opens one object without a token, until it expires', async () => {
    const bucket = await openBucket(server);
    const files = visitor.storage.from(bucket);
    await files.upload('folder/a b.txt', 'text');
    const { data } = await files.createSignedUrl('folder/a b.txt', 60, { download: 'n.txt' });
    const response = await fetch(data?.signedUrl ?? '');
    expect(await response.text()).toBe('text');
    expect(response.headers.get('content-disposition')).toContain('filename=n.txt');
    const expires = Date.parse(response.headers.get('expires') ?? '');
    expect(Math.abs(expires - Date.now() - 60_000)).toBeLessThan(5_000);

    const { data: many } = await files.createSignedUrls(['folder/a b.txt', 'missing'], 60);
    expect(many?.map(({ error }) => error)).toEqual([
      null,
      'Either the object does not exist or you do not have access to it',
    ]);
    expect(await (await fetch(many?.[0]?.signedUrl ?? '')).text()).toBe('text');
    expect((await files.createSignedUrl('missing', 60)).error?.message).toBe('Object not found');
  });

  test('is good for nothing else', async () => {
    const bucket = await openBucket(server);
    const files = visitor.storage.from(bucket);
    await files.upload('a', 'a');
    await files.upload('b', 'b');
    const { data } = await files.createSignedUrl('a', 60);
    const token = new URL(data?.signedUrl ?? '').searchParams.get('token') ?? '';
    const tried = async (path: string, method = 'GET'): Promise<unknown> => {
      const response = await fetch(address(path), { method });
      expect(response.status).toBe(400);
      return (await response.json()).message;
    };
    expect(await tried(`/object/sign/${bucket}/b?token=${token}`)).toBe('Invalid signature');
    expect(await tried(`/object/sign/${bucket}/a?token=${token}x`)).toBe(
      'signature verification failed',
    );
    expect(await tried(`/object/sign/${bucket}/a`)).toBe('Invalid Compact JWS');
    expect(await tried(`/object/upload/sign/${bucket}/a?token=${token}`, 'PUT')).toBe(
      'Token is not scoped for upload',
    );
    const { data: upload } = await files.createSignedUploadUrl('c');
    expect(await tried(`/object/sign/${bucket}/c?token=${upload?.token}`)).toBe(
      'Token is not scoped for download',
    );
    // Neither a session's token nor an API key is an address.
    const anon = server.context.keys.anonKey;
    expect(await tried(`/object/sign/${bucket}/a?token=${anon}`)).not.toBe(undefined);
    const past = await files.createSignedUrl('a', -1);
    expect(past.error?.statusCode).toBe('400');
  });

  test('for an upload takes one file', async () => {
    const bucket = await openBucket(server);
    const { client, id } = await server.signedUp();
    const { data, error } = await client.storage.from(bucket).createSignedUploadUrl('in/a.txt');
    expect(error).toBeNull();
    const send = (text: string) =>
      server
        .client('nobody')
        .storage.from(bucket)
        .uploadToSignedUrl('in/a.txt', data?.token ?? '', text);
    expect((await send('one')).data).toEqual({
      path: 'in/a.txt',
      fullPath: `${bucket}/in/a.txt`,
    });
    expect((await send('two')).error?.message).toBe('The resource already exists');
    expect(await read(bucket, 'in/a.txt')).toBe('one');
    const { rows } = await server.database.owner.query(
      'select owner_id from storage.objects where bucket_id = $1',
      [bucket],
    );
    expect(rows).toEqual([{ owner_id: id }]);
    expect(
      (await client.storage.from(bucket).createSignedUploadUrl('in/a.txt')).error?.message,
    ).toBe('The resource already exists');
    const again = await client.storage
      .from(bucket)
      .createSignedUploadUrl('in/a.txt', { upsert: true });
    await client.storage.from(bucket).uploadToSignedUrl('in/a.txt', again.data?.token ?? '', 'new');
    expect(await read(bucket, 'in/a.txt')).toBe('new');
  });
});
