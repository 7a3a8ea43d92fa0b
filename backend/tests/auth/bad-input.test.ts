// Every invalid request is answered with a 4xx and GoTrue's error body, never with a 5xx or a timeout.
import { describe, expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const server = await testServer();
const base = `${server.url}/auth/v1`;

interface Answer {
  status: number;
  body: unknown;
  headers: Headers;
}

async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${base}${path}`, init);
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    headers: response.headers,
  };
}

const post = (path: string, body: BodyInit): Promise<Answer> =>
  call(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

describe('the request body', () => {
  const paths = ['/signup', '/token?grant_type=password', '/token?grant_type=refresh_token'];
  const bodies: [string, BodyInit][] = [
    ['nothing', ''],
    ['truncated JSON', '{"email": "a@test.example"'],
    ['an array', '[]'],
    ['a string', '"hello"'],
    ['null', 'null'],
    ['a number as email', '{"email": 7, "password": "correct-horse-7", "refresh_token": 7}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['a NUL character', '{"email": "a\\u0000@test.example", "password": "correct-horse-7"}'],
    ['a lone surrogate', '{"email": "a@test.example", "password": "\\ud800"}'],
    ['endlessly nested brackets', '['.repeat(500_000)],
    ['half a million brackets', '['.repeat(450_000) + ']'.repeat(450_000)],
  ];
  it.each(paths.flatMap((path) => bodies.map(([what, body]) => [path, what, body] as const)))(
    '%s rejects %s',
    async (path, _what, body) => {
      const answer = await post(path, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        code: 400,
        error_code: 'bad_json',
        msg: expect.stringContaining('Could not parse request body as JSON: '),
      });
      expect(answer.headers.get('x-sb-error-code')).toBe('bad_json');
    },
  );

  it('with a NUL in the metadata is rejected and nothing is stored', async () => {
    const answer = await post(
      '/signup',
      '{"email": "nul@test.example", "password": "correct-horse-7", "data": {"a": {"b\\u0000": 1}}}',
    );
    expect(answer.status).toBe(400);
    const { rows } = await server.database.owner.query(
      `select 1 from auth.users where email = 'nul@test.example'`,
    );
    expect(rows).toEqual([]);
  });

  it('over 1 MB is rejected', async () => {
    const answer = await post('/signup', `{"email": "${'a'.repeat(1_100_000)}"}`);
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ error_code: 'request_entity_too_large' });
  });

  it('gets errors in the newer format when the client asks for that API version', async () => {
    const answer = await call('/signup', {
      method: 'POST',
      body: '{',
      headers: { 'x-supabase-api-version': '2024-01-01' },
    });
    expect(answer.body).toEqual({ code: 'bad_json', message: expect.any(String) });
    expect(answer.headers.get('x-supabase-api-version')).toBe('2024-01-01');
  });
});

describe('the request path', () => {
  it('gets 404 if unknown, and 405 for a wrong method', async () => {
    expect(await call('/nothing/here')).toMatchObject({ status: 404, body: { code: 404 } });
    expect(await call('/signup')).toMatchObject({ status: 405, body: { code: 405 } });
    expect(await call('/user', { method: 'DELETE' })).toMatchObject({ status: 405 });
  });

  it.each([
    '/%00',
    '/%ff',
    '/user%2F..%2F',
    '/token?grant_type=%00',
    '/token?grant_type=%ff',
    '/token?grant_type[]=password',
  ])('%s gets a 4xx', async (path) => {
    const answer = await call(path, { method: 'POST', body: '{}' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  it.each(['/user', '/signup', '/admin/generate_link', '/nothing'])(
    '%s gets no-store and an answer to OPTIONS',
    async (path) => {
      const answer = await call(path, { method: 'POST', body: '{}' });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect((await call(path, { method: 'OPTIONS' })).status).toBe(204);
    },
  );

  it('/health names the service', async () => {
    expect(await call('/health')).toMatchObject({ status: 200, body: { name: 'GoTrue' } });
  });
});
