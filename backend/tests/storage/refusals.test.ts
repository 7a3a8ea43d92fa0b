// Requests that the storage service rejects, their errors, and that they leave nothing behind.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
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

describe('a request with', () => {
  test.each([
    ['nothing', undefined, 'Invalid Compact JWS'],
    ['a malformed token', 'Bearer nonsense', 'Invalid Compact JWS'],
    ['an empty token', 'Bearer ', 'Invalid Compact JWS'],
  ])('%s is rejected with the reason', async (_, authorization, message) => {
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

  test('an expired or foreign token is rejected with the reason', async () => {
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

  test('an unknown role or none gets no access', async () => {
    for (const role of ['nobody', 'none', 'postgres', 'supabase_storage_admin', 'authenticator']) {
      const shown = await server.context.keys.sign({ role });
      const response = await call('/bucket', { headers: { authorization: `Bearer ${shown}` } });
      expect([role, response.status]).toEqual([role, 400]);
    }
  });

  test('only an apikey gets its role', async () => {
    const response = await fetch(`${server.url}/storage/v1/bucket`, { headers: { apikey: token } });
    expect(await response.json()).toEqual([]);
  });
});

describe('a request path', () => {
  test('that is unknown returns 404', async () => {
    const response = await call('/nowhere/at/all?x=1');
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      message: 'Route GET:/nowhere/at/all not found',
      error: 'Not Found',
      statusCode: 404,
    });
  });

  test('of a missing bucket or object returns its error', async () => {
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

  test('allows CORS from any origin', async () => {
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

describe('an object key', () => {
  const KEYS = [
    ['pointing to another folder', '..%2f..%2fkeys%2fjwt.json'],
    ['pointing to another folder in the middle', 'a/%2e%2e%2f%2e%2e/b'],
    ['pointing to this folder', 'a/%2e/b'],
    ['that is absolute', '%2fetc%2fpasswd'],
    ['with a drive letter', 'C:%5Cwindows'],
    ['with NUL', 'a%00b'],
    ['with a line break', 'a%0ab'],
    ['outside ASCII', 'b%C3%A4r'],
    ['with a percent sign', 'a%25b'],
    ['with quotes', 'a%22b'],
    ['that is too long', 'a'.repeat(1025)],
    ['with invalid UTF-8', 'a%ff%feb'],
  ];

  test.each(KEYS)('%s is rejected everywhere', async (_, key) => {
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
    '%j is rejected in a body',
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

  test('can contain all other characters', async () => {
    const files = server.client().storage.from(bucket);
    const odd = "a/b c/!.*'() &$=@;:+,_-/ü".replace('ü', 'x.TXT');
    expect((await files.upload(odd, 'odd')).error).toBeNull();
    expect(await (await files.download(odd)).data?.text()).toBe('odd');
    const long = `${'f'.repeat(1000)}/${'g'.repeat(23)}`;
    expect((await files.upload(long, 'long')).error).toBeNull();
    expect((await files.remove([odd, long])).data).toHaveLength(2);
  });
});

describe('a request', () => {
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
  ])('with %s %s is rejected with the reason', async (path, body) => {
    const response = await call(`${path}${bucket}`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ statusCode: '400', code: 'InvalidRequest' });
  });

  test('to remove more than a thousand objects is rejected', async () => {
    const prefixes = Array.from({ length: 1001 }, (_, index) => `a${index}`);
    const response = await call(`/object/${bucket}`, {
      method: 'DELETE',
      body: JSON.stringify({ prefixes }),
    });
    expect(response.status).toBe(400);
  });

  test('with malformed metadata is rejected', async () => {
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

  test('with a malformed form is rejected', async () => {
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
