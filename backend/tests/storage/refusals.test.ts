// What the storage service refuses, in which words, and that nothing stays of it.
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

/** Sends bytes as they are, which no HTTP library would. @returns everything that came back */
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
    await vi.waitFor(async () => expect(await keptFiles(server)).not.toEqual([]));
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

describe('who shows', () => {
  test.each([
    ['nothing', undefined, 'Invalid Compact JWS'],
    ['what is no token', 'Bearer nonsense', 'Invalid Compact JWS'],
    ['an empty token', 'Bearer ', 'Invalid Compact JWS'],
  ])('%s is told so', async (_, authorization, message) => {
    const response = await fetch(`${server.url}/storage/v1/bucket`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      statusCode: '403',
      error: 'Unauthorized',
      message,
      code: 'AccessDenied',
    });
  });

  test('an expired token, or one signed by somebody else, is told so', async () => {
    const { keys } = server.context;
    const expired = await keys.sign({ role: 'anon', exp: Math.floor(Date.now() / 1000) - 60 });
    const [header, payload] = expired.split('.');
    for (const [shown, message] of [
      [expired, '"exp" claim timestamp check failed'],
      [`${header}.${payload}.AAAA`, 'signature verification failed'],
    ] as const) {
      const response = await call('/bucket', { headers: { authorization: `Bearer ${shown}` } });
      expect(await response.json()).toMatchObject({ statusCode: '403', message });
    }
  });

  test('a role that does not exist, or none, gets nothing', async () => {
    for (const role of ['nobody', 'none', 'postgres', 'supabase_storage_admin', 'authenticator']) {
      const shown = await server.context.keys.sign({ role });
      const response = await call('/bucket', { headers: { authorization: `Bearer ${shown}` } });
      expect([role, response.status]).toEqual([role, 400]);
    }
  });

  test('only an apikey is let in with it', async () => {
    const response = await fetch(`${server.url}/storage/v1/bucket`, { headers: { apikey: token } });
    expect(await response.json()).toEqual([]);
  });
});

describe('an address', () => {
  test('that is not known answers so', async () => {
    const response = await call('/nowhere/at/all?x=1');
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      message: 'Route GET:/nowhere/at/all not found',
      error: 'Not Found',
      statusCode: 404,
    });
  });

  test('of a bucket or an object that is not there answers so', async () => {
    const upload = await call('/object/nowhere/a', { method: 'POST', body: 'x' });
    expect(await upload.json()).toMatchObject({ statusCode: '404', message: 'Bucket not found' });
    const missing = await call(`/object/${bucket}/missing`);
    expect(missing.status).toBe(400);
    expect(await missing.json()).toEqual({
      statusCode: '404',
      error: 'not_found',
      message: 'Object not found',
      code: 'NoSuchKey',
    });
  });

  test('may be asked about from any origin', async () => {
    const response = await fetch(`${server.url}/storage/v1/object/${bucket}/a`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,x-upsert',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,x-upsert');
    const refused = await call(`/object/${bucket}/missing`);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('a key', () => {
  const KEYS = [
    ['of another folder', '..%2f..%2fkeys%2fjwt.json'],
    ['of another folder in the middle', 'a/%2e%2e%2f%2e%2e/b'],
    ['of this folder', 'a/%2e/b'],
    ['from the root', '%2fetc%2fpasswd'],
    ['from the root of a drive', 'C:%5Cwindows'],
    ['with NUL', 'a%00b'],
    ['with a line break', 'a%0ab'],
    ['outside ASCII', 'b%C3%A4r'],
    ['with a percent sign', 'a%25b'],
    ['with quotes', 'a%22b'],
    ['that is too long', 'a'.repeat(1025)],
    ['with bytes that are no text', 'a%ff%feb'],
  ];

  test.each(KEYS)('%s is refused everywhere', async (_, key) => {
    const before = await objects();
    for (const [method, path] of [
      ['POST', '/object/'],
      ['PUT', '/object/'],
      ['GET', '/object/'],
      ['HEAD', '/object/'],
      ['DELETE', '/object/'],
      ['GET', '/object/info/'],
      ['GET', '/object/public/'],
      ['POST', '/object/sign/'],
      ['POST', '/object/upload/sign/'],
      ['GET', '/render/image/authenticated/'],
    ] as const) {
      const body = method === 'POST' || method === 'PUT' ? 'xx' : '';
      const answer = await raw(
        `${head(method, `${path}${bucket}/${key}`, [`content-length: ${body.length}`])}${body}`,
      );
      expect([method, path, answer.split(' ')[1]]).toEqual([method, path, '400']);
    }
    expect(await objects()).toBe(before);
  });

  test.each(['../x', '/x', 'a/../../x', '', 'a\0b', 'ä', 'a'.repeat(1025)])(
    '%j is refused in a body',
    async (key) => {
      const files = server.client().storage.from(bucket);
      await files.upload('source', 'x', { upsert: true });
      for (const how of ['move', 'copy'] as const) {
        expect((await files[how]('source', key)).error?.status).toBe(400);
        expect((await files[how](key, 'target')).error?.status).toBe(400);
      }
      expect((await files.remove([key || 'none'])).data).toEqual([]);
      expect((await files.createSignedUrls([key], 60)).data?.[0]?.signedUrl).toBeNull();
      expect((await files.list(key)).error === null || key.includes('\0')).toBe(true);
      expect((await files.remove(['source'])).data).toHaveLength(1);
    },
  );

  test('may hold everything else', async () => {
    const files = server.client().storage.from(bucket);
    const odd = "a/b c/!.*'() &$=@;:+,_-/ü".replace('ü', 'x.TXT');
    expect((await files.upload(odd, 'odd')).error).toBeNull();
    expect(await (await files.download(odd)).data?.text()).toBe('odd');
    const long = `${'f'.repeat(1000)}/${'g'.repeat(23)}`;
    expect((await files.upload(long, 'long')).error).toBeNull();
    expect((await files.remove([odd, long])).data).toHaveLength(2);
  });
});

describe('a request that', () => {
  test.each([
    ['/object/list/', 'not json'],
    ['/object/list/', '[]'],
    ['/object/list/', '{"limit":0}'],
    ['/object/list/', '{"limit":"many"}'],
    ['/object/list/', '{"prefix":"\\u0000"}'],
    ['/object/list/', '{"sortBy":{"column":"owner; drop table"}}'],
    ['/object/list-v2/', '{"cursor":"!!!"}'],
    ['/object/list-v2/', '{"cursor":"WyJhIl0"}'],
    ['/object/list-v2/', '{"limit":100000}'],
    ['/object/sign/', '{}'],
    ['/object/sign/', '{"expiresIn":60,"paths":[]}'],
    ['/object/sign/', '{"expiresIn":1e300,"paths":["a"]}'],
  ])('says %s %s is told what is wrong', async (path, body) => {
    const response = await call(`${path}${bucket}`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ statusCode: '400', code: 'InvalidRequest' });
  });

  test('lists a thousand and one to remove is refused', async () => {
    const prefixes = Array.from({ length: 1001 }, (_, index) => `a${index}`);
    const response = await call(`/object/${bucket}`, {
      method: 'DELETE',
      body: JSON.stringify({ prefixes }),
    });
    expect(response.status).toBe(400);
  });

  test('has metadata that is none is refused', async () => {
    for (const metadata of ['"text"', '[]', '{"a":"\\u0000"}', '{']) {
      const response = await call(`/object/${bucket}/a`, {
        method: 'POST',
        body: 'x',
        headers: { 'x-metadata': Buffer.from(metadata).toString('base64') },
      });
      expect([metadata, response.status]).toEqual([metadata, 400]);
    }
    expect(await objects()).toBe(0);
  });

  test('is a broken form is refused', async () => {
    const form = (body: string, type = 'multipart/form-data; boundary=x'): Promise<Response> =>
      call(`/object/${bucket}/a`, { method: 'POST', body, headers: { 'content-type': type } });
    const part = 'Content-Disposition: form-data; name=""; filename="a"\r\n\r\n';
    for (const response of [
      await form('--x\r\nnothing'),
      await form(`--x\r\n${part}cut off`),
      await form('--x--\r\n'),
      await form(`--x\r\n${part}one\r\n--x\r\n${part}two\r\n--x--\r\n`),
      await form('', 'multipart/form-data'),
    ]) {
      expect(response.status).toBe(400);
    }
    expect(await objects()).toBe(0);
  });
});

describe('a file that', () => {
  const path = (): string => `/object/${bucket}/big.bin`;

  test('is declared to be 5 GB is refused before it comes', async () => {
    const answer = await raw(head('POST', path(), ['content-length: 5368709120']));
    expect(answer).toContain('The object exceeded the maximum allowed size');
    expect(await objects()).toBe(0);
  });

  test('turns out too large is refused, and the sender hears of it', async () => {
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
    ['its length promises more', ['content-length: 1000000'], 'x'.repeat(100_000)],
    [
      'its last chunk is missing',
      ['transfer-encoding: chunked'],
      `186a0\r\n${'x'.repeat(100_000)}\r\n`,
    ],
  ])('is cut off while %s leaves nothing', async (_, headers, body) => {
    await raw(head('POST', path(), headers) + body, { closes: true });
    await agreeing(server);
    expect(await objects()).toBe(0);
  });

  test('is cut off over one that is there leaves that one', async () => {
    const files = server.client().storage.from(bucket);
    await files.upload('kept.txt', 'first');
    await agreeing(server);
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      `${head('PUT', `/object/${bucket}/kept.txt`, ['content-length: 1000000'])}${'x'.repeat(100_000)}`,
    );
    await vi.waitFor(async () => expect(await keptFiles(server)).toHaveLength(2));
    socket.destroy();
    await agreeing(server);
    expect(await (await files.download('kept.txt')).data?.text()).toBe('first');
    await files.remove(['kept.txt']);
  });

  test('a policy refuses is not even received', async () => {
    const closed = await openBucket(server, {}, 'service_role');
    const answer = await raw(
      head('POST', `/object/${closed}/a`, ['content-length: 1000000']) + 'x'.repeat(1000),
    );
    expect(answer).toContain('new row violates row-level security policy');
    expect(await keptFiles(server)).toEqual([]);
  });

  test('finds the disk full is refused, and the sender may try again', async () => {
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

  test('takes no more files, while everything else goes on', async () => {
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

  test('counts the uploads in flight, and a fifth is enough of a small disk', async () => {
    const { context } = server;
    const { diskSpace } = context;
    // 10 MiB more than the reserve.
    context.diskSpace = async () => ({ free: 30 * 1024 ** 2, total: 100 * 1024 ** 2 });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    try {
      await once(socket, 'connect');
      socket.write(head('POST', `/object/${bucket}/slow`, [`content-length: ${8 * 1024 ** 2}`]));
      socket.write('x');
      await vi.waitFor(async () => expect(await keptFiles(server)).not.toEqual([]));
      const body = 'x'.repeat(3 * 1024 ** 2);
      const send = () => call(`/object/${bucket}/second`, { method: 'POST', body });
      expect((await send()).status).toBe(507);
      socket.destroy();
      await vi.waitFor(async () => expect((await send()).status).toBe(200));
    } finally {
      socket.destroy();
      context.diskSpace = diskSpace;
    }
    await server.client().storage.from(bucket).remove(['second']);
  });
});

describe('one user may store within a day', () => {
  const limit = (files: number | null, bytes: number | null) =>
    server.database.owner.query('update storage.quota set files_per_day = $1, bytes_per_day = $2', [
      files,
      bytes,
    ]);

  test('as many files as the settings say, and others are not affected', async () => {
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
    // The project's own keys have no limit.
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

  test('as many bytes, refused before the file is received', async () => {
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

test('what a crash left behind is gone after the next start', async () => {
  const { owner } = server.database;
  const left = crypto.randomUUID();
  const { Readable } = await import('node:stream');
  await server.context.blobs.write(left, Readable.from(['left over']));
  await owner.query(
    `insert into storage.unused_blobs (version, due_at) values ($1, now() + interval '1 day')`,
    [left],
  );
  expect(await keptFiles(server)).toEqual([left]);
  const { openService } = await import('#backend/services/storage/open-service.ts');
  const { unused } = await openService(server.context, (error) => {
    throw error;
  });
  await unused.settled();
  await agreeing(server);
});
