// Objects through supabase-js: list, move, copy, remove and signed URLs; rows and files match.
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { agreeing, openBucket } from '#tests/support/buckets.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
let visitor: SupabaseClient;

beforeAll(async () => {
  server = await testServer();
  visitor = server.client();
});

afterEach(() => agreeing(server));

const address = (path: string): string => `${server.url}/storage/v1${path}`;
const read = async (bucket: string, key: string): Promise<string | undefined> =>
  (await visitor.storage.from(bucket).download(key)).data?.text();

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

  test('shows the direct children of a folder, folders first', async () => {
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

  test('can be searched, sorted and paged', async () => {
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

  test('can page through everything under a prefix', async () => {
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
  test('can be moved and copied within a bucket and to another', async () => {
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

  test("moved to another bucket must meet that bucket's limits", async () => {
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

  test('can be removed alone or with others', async () => {
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

  test('deleted by SQL is also deleted from the store', async () => {
    const bucket = await openBucket(server);
    await visitor.storage.from(bucket).upload('a', 'a');
    await server.database.owner.query('delete from storage.objects where bucket_id = $1', [bucket]);
    await visitor.storage.from(bucket).upload('b', 'b');
    await visitor.storage.from(bucket).remove(['b']);
  });
});

describe('a signed URL', () => {
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

  test('is valid for nothing else', async () => {
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
    // Neither a session token nor an API key works as a signed URL.
    const anon = server.context.keys.anonKey;
    expect(await tried(`/object/sign/${bucket}/a?token=${anon}`)).not.toBe(undefined);
    const past = await files.createSignedUrl('a', -1);
    expect(past.error?.statusCode).toBe('400');
  });

  test('for an upload accepts one file', async () => {
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
