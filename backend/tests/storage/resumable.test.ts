// Resumable uploads with tus-js-client: in parts, resumed after an interruption, by their own sender only.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { SupabaseClient } from '@supabase/supabase-js';
import { Upload, type UploadOptions } from 'tus-js-client';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { agreeing, asOperator, openBucket } from '#tests/support/buckets.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
let bucket: string;
let client: SupabaseClient;
let token: string;

beforeAll(async () => {
  server = await testServer();
  bucket = await openBucket(server, { fileSizeLimit: 1_000_000 });
  ({ client } = await server.signedUp());
  token = (await client.auth.getSession()).data.session?.access_token ?? '';
});

afterEach(() => agreeing(server));

const address = (): string => `${server.url}/storage/v1/upload/resumable`;

function upload(
  key: string,
  body: Buffer,
  options: Partial<UploadOptions> = {},
): { task: Upload; done: Promise<void> } {
  let task: Upload | undefined;
  const done = new Promise<void>((resolve, reject) => {
    task = new Upload(body, {
      endpoint: address(),
      headers: { authorization: `Bearer ${token}` },
      chunkSize: 100_000,
      retryDelays: null,
      metadata: {
        bucketName: bucket,
        objectName: key,
        contentType: 'text/plain',
        cacheControl: '60',
        metadata: JSON.stringify({ kind: 'film' }),
      },
      onSuccess: () => resolve(),
      onError: reject,
      ...options,
    });
  });
  if (task === undefined) throw new Error('There is no upload.');
  return { task, done };
}

const body = Buffer.from('0123456789'.repeat(35_000));
const read = async (key: string): Promise<string | undefined> =>
  (await client.storage.from(bucket).download(key)).data?.text();

/** @returns statuses and messages of protocol errors */
const refusal = async (done: Promise<void>): Promise<string> =>
  done.then(
    () => 'done',
    (error: unknown) => {
      const text = error instanceof Error ? error.message : '';
      return `${/response code: (\d+)/.exec(text)?.[1]} ${/response text: (.*?)\n?,/.exec(text)?.[1]?.trim()}`;
    },
  );

test('a resumable upload arrives in parts and becomes a normal object', async () => {
  const { task, done } = upload('parts.txt', body);
  task.start();
  await done;
  expect(task.url).toMatch(new RegExp(`^${address()}/[0-9a-f]{32}$`));
  expect(await read('parts.txt')).toBe(body.toString());
  expect((await client.storage.from(bucket).info('parts.txt')).data).toMatchObject({
    size: body.length,
    contentType: 'text/plain',
    cacheControl: 'max-age=60',
    metadata: { kind: 'film' },
  });
});

test('a resumable upload continues after an interruption', async () => {
  let sent = 0;
  const first = upload('broken.txt', body, {
    onChunkComplete: (_size, accepted) => {
      sent = accepted;
      if (accepted >= 200_000) void first.task.abort();
    },
  });
  first.task.start();
  await expect.poll(() => sent).toBeGreaterThanOrEqual(200_000);
  expect(await read('broken.txt')).toBeUndefined();
  const from: number[] = [];
  const second = upload('broken.txt', body, {
    uploadUrl: first.task.url ?? '',
    onChunkComplete: (size, accepted) => from.push(accepted - size),
  });
  second.task.start();
  await second.done;
  expect(from[0]).toBeGreaterThanOrEqual(200_000);
  expect(await read('broken.txt')).toBe(body.toString());

  // The last response was lost: a HEAD request finds the upload complete and using no space.
  const third = upload('broken.txt', body, { uploadUrl: first.task.url ?? '' });
  third.task.start();
  await third.done;
});

test('a resumable upload can declare its length later', async () => {
  const done = new Promise<void>((resolve, reject) => {
    new Upload(Readable.from([Buffer.from('one '), Buffer.from('two')]), {
      endpoint: address(),
      headers: { authorization: `Bearer ${token}`, 'x-upsert': 'true' },
      chunkSize: 4,
      uploadLengthDeferred: true,
      retryDelays: null,
      metadata: { bucketName: bucket, objectName: 'later.txt', contentType: 'text/plain' },
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });
  await done;
  expect(await read('later.txt')).toBe('one two');
});

test('a resumable upload with a signed URL needs no token', async () => {
  const { data } = await client.storage.from(bucket).createSignedUploadUrl('signed.txt');
  const headers = { 'x-signature': data?.token ?? '' };
  const endpoint = `${address()}/sign`;
  const other = upload('other.txt', body, { endpoint, headers });
  other.task.start();
  expect(await refusal(other.done)).toBe('400 Invalid signature');
  const { task, done } = upload('signed.txt', body, { endpoint, headers });
  task.start();
  await done;
  expect(await read('signed.txt')).toBe(body.toString());
});

describe('a resumable upload is rejected', () => {
  const tried = (
    key: string,
    content: Buffer = body,
    options: Partial<UploadOptions> = {},
  ): Promise<string> => {
    const { task, done } = upload(key, content, options);
    task.start();
    return refusal(done);
  };
  const to = (changes: Record<string, string>): Partial<UploadOptions> => ({
    metadata: { bucketName: bucket, objectName: 'x.txt', contentType: 'text/plain', ...changes },
  });

  test('wherever a normal upload is', async () => {
    const begun = (): Promise<string[]> =>
      readdir(path.join(server.context.config.dataDir, 'uploads'));
    const before = await begun();
    await client.storage.from(bucket).upload('there.txt', 'first');
    expect(await tried('there.txt')).toBe('409 The resource already exists');
    expect(await tried('../x')).toBe('400 Invalid key: ../x');
    expect(await tried('x', body, to({ bucketName: 'nowhere' }))).toBe('404 Bucket not found');
    const closed = await openBucket(server, {}, 'service_role');
    expect(await tried('x', body, to({ bucketName: closed }))).toBe(
      '403 new row violates row-level security policy',
    );
    expect(await tried('x', Buffer.alloc(1_000_001))).toBe('413 Maximum size exceeded');
    expect(await tried('x', body, { metadata: {} })).toMatch(/^400 body must have/);
    expect(await tried('x', body, { headers: {} })).toMatch(/^400 /);
    expect(await read('there.txt')).toBe('first');
    expect(await begun()).toEqual(before);
  });

  test('with 5 GB declared, before its body is read', async () => {
    const response = await fetch(address(), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'tus-resumable': '1.0.0',
        'upload-length': '5368709120',
        'upload-metadata': `bucketName ${btoa(bucket)},objectName ${btoa('x')}`,
      },
    });
    expect([response.status, (await response.text()).trim()]).toEqual([
      413,
      'Maximum size exceeded',
    ]);
  });

  test("when its content does not match the bucket's allowed types, once that is known", async () => {
    const folder = crypto.randomUUID();
    const headers = { authorization: `Bearer ${server.context.keys.serviceKey}` };
    const page = Buffer.from('<html><script>alert(1)</script></html>');
    const metadata = {
      bucketName: 'documents',
      objectName: `${folder}/a.txt`,
      contentType: 'text/plain',
    };
    expect(await tried('x', page, { headers, metadata })).toMatch(/^415 /);
    expect((await asOperator(server).storage.from('documents').list(folder)).data).toEqual([]);
  });

  test('for anyone but its sender, who can abort it', async () => {
    let begun = false;
    const { task } = upload('mine.txt', body, {
      onChunkComplete: () => {
        begun = true;
        void task.abort();
      },
    });
    task.start();
    await expect.poll(() => begun).toBe(true);
    const otherUser = (await server.signedUp()).client;
    const theirs = (await otherUser.auth.getSession()).data.session?.access_token ?? '';
    const ask = (method: string, shown: string): Promise<number> =>
      fetch(task.url ?? '', {
        method,
        headers: { authorization: `Bearer ${shown}`, 'tus-resumable': '1.0.0' },
      }).then(({ status }) => status);
    expect(await ask('HEAD', theirs)).toBe(404);
    expect(await ask('DELETE', theirs)).toBe(404);
    expect(await ask('HEAD', token)).toBe(200);
    expect(await ask('DELETE', token)).toBe(204);
    expect(await ask('HEAD', token)).toBe(404);
  });
});

test('the resumable endpoint reports its protocol version and extensions', async () => {
  const response = await fetch(address(), { method: 'OPTIONS' });
  expect(response.status).toBe(204);
  expect(response.headers.get('tus-version')).toBe('1.0.0');
  expect(response.headers.get('tus-extension')?.split(',')).toEqual(
    expect.arrayContaining([
      'creation',
      'creation-with-upload',
      'creation-defer-length',
      'termination',
      'expiration',
    ]),
  );
});

test("unfinished uploads count towards a user's quota", async () => {
  const large = await openBucket(server);
  const create = (authorization: string): Promise<Response> =>
    fetch(address(), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${authorization}`,
        'tus-resumable': '1.0.0',
        'upload-length': String(50 * 1024 ** 2),
        'upload-metadata': `bucketName ${btoa(large)},objectName ${btoa(crypto.randomUUID())}`,
      },
    });
  // The limit of supabase/config.toml is 200 MiB.
  const begun = [];
  for (let i = 0; i < 4; i += 1) begun.push(await create(token));
  expect(begun.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const refused = await create(token);
  expect(refused.status).toBe(429);
  expect(await refused.text()).toBe(
    'You have too many unfinished uploads. Finish or cancel some, or try again later.\n',
  );
  const session = await (await server.signedUp()).client.auth.getSession();
  const other = await create(session.data.session?.access_token ?? '');
  expect(other.status).toBe(201);
  const remove = (response: Response, authorization: string): Promise<Response> =>
    fetch(response.headers.get('location') ?? '', {
      method: 'DELETE',
      headers: { authorization: `Bearer ${authorization}`, 'tus-resumable': '1.0.0' },
    });
  const [first, ...rest] = begun;
  if (first === undefined) throw new Error('No upload was started.');
  expect((await remove(first, token)).status).toBe(204);
  const again = await create(token);
  expect(again.status).toBe(201);
  for (const response of [...rest, again]) await remove(response, token);
  await remove(other, session.data.session?.access_token ?? '');
});
