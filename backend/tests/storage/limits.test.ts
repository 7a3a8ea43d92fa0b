// Storage limits: sizes, interrupted uploads, a full disk, quotas, and cleanup after a crash.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { agreeing, keptFiles, openBucket } from '#tests/support/buckets.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
let bucket: string;
let token: string;

beforeAll(async () => {
  server = await testServer();
  bucket = await openBucket(server);
  token = server.context.keys.anonKey;
});

afterEach(() => agreeing(server));

const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}/storage/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });

const objects = async (): Promise<number> =>
  (await server.database.owner.query('select from storage.objects')).rowCount ?? 0;

/** Sends raw bytes, which HTTP libraries refuse. @returns the raw response */
async function raw(text: string, more: { closes?: boolean } = {}): Promise<string> {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.on('error', () => {});
  socket.write(text);
  if (more.closes) {
    await expect.poll(() => keptFiles(server)).not.toEqual([]);
    socket.destroy();
    return answer;
  }
  while (!answer.includes('\r\n\r\n')) await once(socket, 'data');
  socket.destroy();
  return answer;
}

const head = (method: string, path: string, headers: string[] = []): string =>
  [
    `${method} /storage/v1${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${token}`,
    'content-type: text/plain',
    ...headers,
    '\r\n',
  ].join('\r\n');

describe('an upload', () => {
  const path = (): string => `/object/${bucket}/big.bin`;

  test('declared as 5 GB is rejected before its body is read', async () => {
    const answer = await raw(head('POST', path(), ['content-length: 5368709120']));
    expect(answer).toContain('The object exceeded the maximum allowed size');
    expect(await objects()).toBe(0);
  });

  test('that turns out too large is rejected with an error the sender receives', async () => {
    const limit = server.context.settings.storage.file_size_limit;
    const response = await call(path(), { method: 'POST', body: Buffer.alloc(limit + 1) });
    expect(await response.json()).toMatchObject({ statusCode: '413' });
    const small = await openBucket(server, { fileSizeLimit: 1000 });
    const body = new Blob([Buffer.alloc(3_000_000)]).stream();
    const streamed = await call(`/object/${small}/big.bin`, {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit);
    expect(await streamed.json()).toMatchObject({ statusCode: '413' });
    expect(await objects()).toBe(0);
  });

  test.each([
    ['its length is greater than its body', ['content-length: 1000000'], 'x'.repeat(100_000)],
    [
      'its last chunk is missing',
      ['transfer-encoding: chunked'],
      `186a0\r\n${'x'.repeat(100_000)}\r\n`,
    ],
  ])('interrupted while %s leaves nothing behind', async (_, headers, body) => {
    await raw(head('POST', path(), headers) + body, { closes: true });
    await agreeing(server);
    expect(await objects()).toBe(0);
  });

  test('interrupted while it replaces an object leaves the old one', async () => {
    const files = server.client().storage.from(bucket);
    await files.upload('kept.txt', 'first');
    await agreeing(server);
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      `${head('PUT', `/object/${bucket}/kept.txt`, ['content-length: 1000000'])}${'x'.repeat(100_000)}`,
    );
    await expect.poll(() => keptFiles(server)).toHaveLength(2);
    socket.destroy();
    await agreeing(server);
    expect(await (await files.download('kept.txt')).data?.text()).toBe('first');
    await files.remove(['kept.txt']);
  });

  test('rejected by a policy is not read', async () => {
    const closed = await openBucket(server, {}, 'service_role');
    const answer = await raw(
      head('POST', `/object/${closed}/a`, ['content-length: 1000000']) + 'x'.repeat(1000),
    );
    expect(answer).toContain('new row violates row-level security policy');
    expect(await keptFiles(server)).toEqual([]);
  });

  test('that finds the disk full is rejected and can be retried', async () => {
    const { blobs } = server.context;
    const write = vi.spyOn(blobs, 'write').mockImplementationOnce(async (_id, source) => {
      source.resume();
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    });
    const files = server.client().storage.from(bucket);
    const { error } = await files.upload('a', 'x');
    expect(error).toMatchObject({ status: 507, statusCode: '507' });
    write.mockRestore();
    expect((await files.upload('a', 'x')).error).toBeNull();
    await files.remove(['a']);
  });
});

describe('a disk with less free space than the reserve', () => {
  const GIB = 1024 ** 3;

  test('rejects uploads, while everything else works', async () => {
    const { context } = server;
    const { diskSpace } = context;
    const files = server.client().storage.from(bucket);
    expect((await files.upload('before', 'x')).error).toBeNull();
    context.diskSpace = async () => ({ free: GIB / 2 - 1, total: 100 * GIB });
    try {
      const answer = await call(`/object/${bucket}/after`, { method: 'POST', body: 'x' });
      expect(answer.status).toBe(507);
      expect(await answer.json()).toEqual({
        statusCode: '507',
        error: 'insufficient_storage',
        message: 'There is not enough space for this file at the moment. Please try again later.',
        code: 'InsufficientStorage',
      });
      expect((await files.copy('before', 'after')).error).toMatchObject({ status: 507 });
      const resumable = await call('/upload/resumable', {
        method: 'POST',
        headers: { 'tus-resumable': '1.0.0', 'upload-length': '10' },
      });
      expect(resumable.status).toBe(507);
      expect(await (await files.download('before')).data?.text()).toBe('x');
      await server.signedUp();
      expect((await files.remove(['before'])).error).toBeNull();
    } finally {
      context.diskSpace = diskSpace;
    }
    expect((await files.upload('after', 'x')).error).toBeNull();
    await files.remove(['after']);
  });

  test('counts uploads in flight, and the reserve is at most a fifth of a small disk', async () => {
    const { context } = server;
    const { diskSpace } = context;
    // 10 MiB more than the reserve.
    context.diskSpace = async () => ({ free: 30 * 1024 ** 2, total: 100 * 1024 ** 2 });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    try {
      await once(socket, 'connect');
      socket.write(head('POST', `/object/${bucket}/slow`, [`content-length: ${8 * 1024 ** 2}`]));
      socket.write('x');
      await expect.poll(() => keptFiles(server)).not.toEqual([]);
      const body = 'x'.repeat(3 * 1024 ** 2);
      const send = () => call(`/object/${bucket}/second`, { method: 'POST', body });
      expect((await send()).status).toBe(507);
      socket.destroy();
      await expect.poll(async () => (await send()).status).toBe(200);
    } finally {
      socket.destroy();
      context.diskSpace = diskSpace;
    }
    await server.client().storage.from(bucket).remove(['second']);
  });
});

describe('the daily quota of a user', () => {
  const limit = (files: number | null, bytes: number | null) =>
    server.database.owner.query('update storage.quota set files_per_day = $1, bytes_per_day = $2', [
      files,
      bytes,
    ]);

  test('limits files as configured, and does not affect other users', async () => {
    const { client } = await server.signedUp();
    const files = client.storage.from(bucket);
    await limit(2, null);
    const answers = await Promise.all(
      ['1', '2', '3', '4', '5'].map((name) => files.upload(name, 'x')),
    );
    const refused = answers.flatMap(({ error }) => (error ? [error] : []));
    expect(refused).toHaveLength(3);
    expect(refused[0]).toMatchObject({
      status: 429,
      statusCode: '429',
      message: 'You have reached the limit of 2 files within a day. Please try again later.',
    });
    const { data } = await client.auth.getSession();
    const answer = await call(`/object/${bucket}/6`, {
      method: 'POST',
      headers: { authorization: `Bearer ${data.session?.access_token}` },
      body: 'x',
    });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(86_000);
    const other = (await server.signedUp()).client.storage.from(bucket);
    expect((await other.upload('of another', 'x')).error).toBeNull();
    // The service key has no quota.
    const visitor = server.client().storage.from(bucket);
    for (const name of ['a', 'b', 'c']) expect((await visitor.upload(name, 'x')).error).toBeNull();
    await server.database.owner.query(
      'alter table storage.objects disable trigger update_objects_updated_at',
    );
    await server.database.owner.query(
      `update storage.objects set updated_at = now() - interval '25 hours' where owner_id is not null`,
    );
    await server.database.owner.query(
      'alter table storage.objects enable trigger update_objects_updated_at',
    );
    expect((await files.upload('the next day', 'x')).error).toBeNull();
    await limit(200, null);
    const { data: all } = await visitor.list();
    await visitor.remove((all ?? []).map(({ name }) => name));
  });

  test('limits bytes, before the file is read', async () => {
    const { client } = await server.signedUp();
    const files = client.storage.from(bucket);
    await limit(null, 1000);
    expect((await files.upload('small', 'x'.repeat(600))).error).toBeNull();
    expect((await files.copy('small', 'copy')).error).toMatchObject({
      status: 429,
      message: 'You have reached the limit of 1000 bytes within a day. Please try again later.',
    });
    const { data } = await client.auth.getSession();
    const answer = await raw(
      head('POST', `/object/${bucket}/large`, ['content-length: 1000000']).replace(
        token,
        data.session?.access_token ?? '',
      ),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 429/);
    await limit(200, null);
    await files.remove(['small']);
  });
});

test('the next start deletes files left by a crash', async () => {
  const { owner } = server.database;
  const left = crypto.randomUUID();
  const { Readable } = await import('node:stream');
  await server.context.blobs.write(left, Readable.from(['left over']));
  await owner.query(
    `insert into storage.unused_blobs (version, due_at) values ($1, now() + interval '1 day')`,
    [left],
  );
  expect(await keptFiles(server)).toEqual([left]);
  const { openService } = await import('#backend/services/storage/storage.ts');
  const { unused } = await openService(server.context, (error) => {
    throw error;
  });
  await unused.settled();
  await agreeing(server);
});
