// Objects whose bytes were lost or cut off outside the service: an error before the first byte, never half a file.
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openBucket } from '#tests/support/buckets.ts';
import { objectStore } from '#tests/support/object-store.ts';
import { picture } from '#tests/support/samples.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

const disk = await testServer({ LOG_LEVEL: 'fatal' });
const s3 = await testServer({ LOG_LEVEL: 'fatal', STORAGE_URL: (await objectStore()).url });
const photo = await picture('jpeg', 400, 300);

async function uploaded(server: TestServer): Promise<{ bucket: string; version: string }> {
  const bucket = await openBucket(server, { public: true });
  const files = server.client().storage.from(bucket);
  const { error } = await files.upload('p.jpg', photo, { contentType: 'image/jpeg' });
  if (error) throw error;
  const { rows } = await server.database.owner.query<{ version: string }>(
    'select version from storage.objects where bucket_id = $1',
    [bucket],
  );
  return { bucket, version: rows[0]?.version ?? '' };
}

const REQUESTS: [method: string, path: string, headers?: Record<string, string>][] = [
  ['GET', 'object/'],
  ['HEAD', 'object/'],
  ['GET', 'object/', { range: 'bytes=0-9' }],
  ['GET', 'object/', { range: 'bytes=-10' }],
  ['GET', 'object/', { range: `bytes=${photo.length - 5}-` }],
  ['GET', 'object/public/'],
  ['HEAD', 'object/public/'],
  ['HEAD', 'object/info/'],
  ['GET', 'render/image/public/'],
  ['HEAD', 'render/image/authenticated/'],
];

/** Ends in another state than its row says. */
const DAMAGES: [what: string, server: TestServer, damage: (version: string) => Promise<void>][] = [
  ...[disk, s3].flatMap((server): typeof DAMAGES => {
    const { blobs } = server.context;
    const where = server === disk ? 'on disk' : 'in S3';
    const cut = (bytes: number) => (version: string) =>
      blobs.write(version, Readable.from([photo.subarray(0, bytes)]));
    return [
      [`cut off ${where}`, server, cut(100)],
      [`empty ${where}`, server, cut(0)],
      [`missing ${where}`, server, (version) => blobs.remove(version)],
    ];
  }),
  [
    'a folder on disk',
    disk,
    async (version) => {
      const { dataDir } = disk.context.config;
      const file = path.join(dataDir, 'storage', 'objects', version.slice(0, 2), version);
      await rm(file);
      await mkdir(file);
    },
  ],
];

describe('a stored file that is', () => {
  test.each(DAMAGES)('%s answers with an error', async (what, server, damage) => {
    const { bucket, version } = await uploaded(server);
    const authorization = `Bearer ${server.context.keys.anonKey}`;
    const ask = (method: string, of: string, headers?: Record<string, string>) =>
      fetch(`${server.url}/storage/v1/${of}${bucket}/p.jpg`, {
        method,
        headers: { authorization, ...headers },
      });
    for (const [method, of, headers] of REQUESTS) {
      expect([method, of, (await ask(method, of, headers)).ok]).toEqual([method, of, true]);
    }
    await damage(version);
    const status = what.startsWith('missing') ? 400 : 500;
    for (const [method, of, headers] of REQUESTS) {
      const answer = await ask(method, of, headers);
      expect([method, of, headers, answer.status]).toEqual([method, of, headers, status]);
      if (method === 'GET') {
        expect(await answer.json()).toMatchObject({
          message: status === 400 ? 'Object not found' : expect.stringContaining('is damaged'),
        });
      }
    }
    const files = server.client().storage.from(bucket);
    expect((await files.copy('p.jpg', 'copy.jpg')).error).not.toBeNull();
    expect((await files.download('copy.jpg')).error).not.toBeNull();
  });
});

test('an unfinished resumable upload whose bytes are gone answers that it has to begin again', async () => {
  const bucket = await openBucket(disk);
  const headers = {
    authorization: `Bearer ${disk.context.keys.anonKey}`,
    'tus-resumable': '1.0.0',
  };
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  const created = await fetch(`${disk.url}/storage/v1/upload/resumable`, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': '10',
      'upload-metadata': `bucketName ${encoded(bucket)},objectName ${encoded('a.txt')}`,
    },
  });
  const location = created.headers.get('location') ?? '';
  await rm(path.join(disk.context.config.dataDir, 'uploads', location.split('/').at(-1) ?? ''));
  const looked = await fetch(location, { method: 'HEAD', headers });
  const sent = await fetch(location, {
    method: 'PATCH',
    headers: {
      ...headers,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: '0123456789',
  });
  for (const { status } of [looked, sent]) expect([404, 410]).toContain(status);
});
