// The storage service with its objects in an S3-compatible store (STORAGE_URL).
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, expect, test, vi } from 'vitest';
import { openBlobs } from '#backend/services/storage/blobs/s3.ts';
import { openBucket } from '#tests/support/buckets.ts';
import { type ObjectStore, objectStore } from '#tests/support/object-store.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let store: ObjectStore;
let server: TestServer;
let bucket: string;
let files: ReturnType<SupabaseClient['storage']['from']>;

beforeAll(async () => {
  store = await objectStore();
  server = await testServer({ STORAGE_URL: store.url });
  bucket = await openBucket(server);
  files = server.client().storage.from(bucket);
});

/** Objects are removed after the response. */
const agreeing = (): Promise<void> =>
  vi.waitFor(async () => {
    const { rows } = await server.database.owner.query<{ version: string }>(
      'select version from storage.objects',
    );
    expect((await store.keys()).sort()).toEqual(rows.map(({ version }) => version).sort());
  }, 30_000);

test('an S3 store supports upload, ranged reads, replace, copy, move and remove', async () => {
  expect((await files.upload('a/b.txt', 'hello', { cacheControl: '5' })).error).toBeNull();
  expect(await (await files.download('a/b.txt')).data?.text()).toBe('hello');
  const part = await fetch(`${server.url}/storage/v1/object/${bucket}/a/b.txt`, {
    headers: { authorization: `Bearer ${server.context.keys.anonKey}`, range: 'bytes=1-2' },
  });
  expect([part.status, await part.text()]).toEqual([206, 'el']);
  await files.upload('a/b.txt', 'again', { upsert: true });
  await agreeing();
  expect((await files.copy('a/b.txt', 'c.txt')).error).toBeNull();
  expect((await files.move('a/b.txt', 'd.txt')).error).toBeNull();
  for (const key of ['c.txt', 'd.txt']) {
    expect(await (await files.download(key)).data?.text()).toBe('again');
  }
  await agreeing();
  expect((await files.remove(['c.txt', 'd.txt'])).data).toHaveLength(2);
  await agreeing();
});

test('an S3 store accepts a multipart upload unchanged', async () => {
  const body = Buffer.alloc(12 * 1024 * 1024, 'contents ');
  expect((await files.upload('large.bin', body)).error).toBeNull();
  const { data } = await files.download('large.bin');
  expect(body.equals(new Uint8Array((await data?.arrayBuffer()) ?? new ArrayBuffer(0)))).toBe(true);
  await files.remove(['large.bin']);
  await agreeing();
});

test('an S3 store contains nothing of rejected uploads', async () => {
  const small = await openBucket(server, { fileSizeLimit: 6 * 1024 * 1024 });
  const body = new Blob([Buffer.alloc(7 * 1024 * 1024)]).stream();
  const { error } = await server.client().storage.from(small).upload('large.bin', body);
  expect(error?.message).toBe('The object exceeded the maximum allowed size');
  await agreeing();
});

test.each([
  ['s3://key:s3cr3t@127.0.0.1:1/files?ssl=off', /^The object store at STORAGE_URL can't be used/],
  ['https://key:s3cr3t@host/bucket', /^STORAGE_URL is not valid/],
  ['s3://key:s3cr3t@host', /^STORAGE_URL is not valid/],
  ['s3://key:s3cr3t@host/bucket?ssl=maybe', /^STORAGE_URL: ssl must be on or off/],
])('a storage setting is explained: %s', async (storageUrl, message) => {
  const opened = openBlobs({ dataDir: '', storageUrl });
  await expect(opened).rejects.toThrow(message);
  await expect(opened).rejects.not.toThrow('s3cr3t');
});
