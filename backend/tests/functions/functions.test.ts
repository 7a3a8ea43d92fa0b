// Edge functions through supabase-js, in every supported style, and their failures.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FunctionsHttpError, FunctionsRelayError } from '@supabase/supabase-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { cleanUp } from '#tests/support/clean-up.ts';
import { otherProject, type TestServer } from '#tests/support/server.ts';

let server: TestServer;
let changing: string;

beforeAll(async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'test-function-'));
  cleanUp(() => rm(dir, { recursive: true, force: true }));
  changing = path.join(dir, 'index.ts');
  const env = { LOG_LEVEL: 'silent', SHOP_TOKEN: 'from outside', CHANGING: changing };
  server = await otherProject('shop', env);
});

const call = (path: string, init: RequestInit & { duplex?: 'half' } = {}, isKnown = true) =>
  fetch(`${server.url}/functions/v1${path}`, {
    ...init,
    headers: {
      ...(isKnown && { authorization: `Bearer ${server.context.keys.anonKey}` }),
      ...init.headers,
    },
  });

describe('an edge function', () => {
  it('receives method, path, query, headers and body unchanged', async () => {
    const answer = await call('/echo/deep/er?a=1&a=2&b=%20', {
      method: 'PUT',
      body: 'Grüße',
      headers: { 'content-type': 'text/plain', 'x-own': 'kept', apikey: 'whatever' },
    });
    expect(await answer.json()).toMatchObject({
      method: 'PUT',
      path: '/echo/deep/er',
      search: '?a=1&a=2&b=%20',
      body: 'Grüße',
      bytes: 7,
      headers: { 'content-type': 'text/plain', 'x-own': 'kept', apikey: 'whatever' },
    });
  });

  it("can read the project's URL, keys and secrets, and no other setting of the server", async () => {
    const { data } = await server.client().functions.invoke('echo', { body: { a: 1 } });
    expect(data).toMatchObject({
      body: '{"a":1}',
      secret: 'kept',
      url: server.url,
      environment: [
        'SHOP_SECRET',
        'SHOP_TOKEN',
        'SUPABASE_ANON_KEY',
        'SUPABASE_PUBLISHABLE_KEYS',
        'SUPABASE_SECRET_KEYS',
        'SUPABASE_SERVICE_ROLE_KEY',
        'SUPABASE_URL',
      ],
    });
  });

  it.each<[string, BodyInit, string]>([
    ['a form', new URLSearchParams({ a: 'b' }), 'application/x-www-form-urlencoded'],
    ['bytes', new Uint8Array(200_000).fill(65), 'application/octet-stream'],
    ['a file', new Blob(['%PDF'], { type: 'application/pdf' }), 'application/pdf'],
  ])('accepts %s', async (_what, body, type) => {
    const headers = { 'content-type': type };
    const data = await (await call('/echo', { method: 'POST', body, headers })).json();
    expect(data.bytes).toBe((await new Response(body).arrayBuffer()).byteLength);
    expect(data.headers['content-type']).toBe(type);
  });

  it('can import packages, shared files and import-map names, and call the project', async () => {
    const { data, error } = await server
      .client()
      .functions.invoke('parcel', { body: { name: 'Hawa' } });
    expect(error).toBeNull();
    expect(data).toEqual({
      greeting: 'Good day, Hawa',
      count: 3,
      error: null,
      next: '2026-03-01T00:00:00.000Z',
      note: 'kept beside the function',
    });
  });

  it('can use the classic or the current API, and have another name in config.toml', async () => {
    const classic = await server.client().functions.invoke('classic');
    expect(await classic.data.arrayBuffer()).toEqual(new Uint8Array([1, 2, 3]).buffer);
    expect((await call('/renamed', {}, false)).status).toBe(200);
    const modern = await call('/modern', {}, false);
    expect([modern.status, await modern.text(), modern.headers.getSetCookie()]).toEqual([
      201,
      'made',
      ['a=1', 'b=2'],
    ]);
    expect(modern.headers.get('access-control-allow-origin')).toBe('https://odd.example');
  });

  it('streams the request and the response at the same time', async () => {
    const { readable, writable } = new TransformStream<Uint8Array>();
    const writer = writable.getWriter();
    const answering = call('/stream', { method: 'POST', body: readable, duplex: 'half' });
    await writer.write(new TextEncoder().encode('first'));
    const reader = (await answering).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader?.read()).toEqual({ done: false, value: 'FIRST' });
    await writer.write(new TextEncoder().encode('second'));
    expect(await reader?.read()).toEqual({ done: false, value: 'SECOND' });
    await writer.close();
    expect((await reader?.read())?.done).toBe(true);
  });

  it('can respond without reading the request body, and the connection stays usable', async () => {
    for (let round = 0; round < 5; round += 1) {
      const body = new Uint8Array(5_000_000);
      const answer = await call('/trouble?kind=none', { method: 'POST', body });
      expect([answer.status, await answer.text()]).toEqual([200, 'fine']);
    }
  });

  it("is reloaded when its file changes, and reports why it can't be", async () => {
    const say = (text: string) => writeFile(changing, `Deno.serve(() => new Response('${text}'));`);
    const becomes = (status: number, text: RegExp) =>
      expect
        .poll(async () => {
          const answer = await call('/changing', {}, false);
          return [answer.status, await answer.text()];
        })
        .toEqual([status, expect.stringMatching(text)]);
    await say('one');
    await becomes(200, /^one$/);
    await say('two');
    await becomes(200, /^two$/);
    await writeFile(changing, 'Deno.serve(');
    await becomes(503, /BOOT_ERROR/);
    await say('three');
    await becomes(200, /^three$/);
    const kept = await readdir(path.join(server.context.config.dataDir, 'functions'));
    expect(kept.filter((file) => file.startsWith('changing-'))).toHaveLength(1);
  });

  it('stays available when the client stops reading its stream', async () => {
    const leaving = new AbortController();
    const answer = await call('/stream', { signal: leaving.signal });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    await answer.body?.getReader().read();
    leaving.abort();
    // A second call proves that the function is free again.
    const again = await call('/stream', { method: 'POST', body: 'still here' });
    expect(await again.text()).toBe('STILL HERE');
  });
});

describe('the functions endpoint', () => {
  it.each<[string, string, Record<string, string>, string]>([
    ['no token', '/echo', {}, 'Missing authorization header'],
    ['nonsense', '/echo', { authorization: 'Bearer abc' }, 'Invalid JWT'],
    ['a forged token', '/echo', { authorization: `Bearer ${forged()}` }, 'Invalid JWT'],
  ])('rejects a call with %s', async (_what, path, headers, text) => {
    const answer = await call(path, { headers }, false);
    expect([answer.status, await answer.text()]).toEqual([401, text]);
    expect(answer.headers.get('x-relay-error')).toBe('true');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('accepts an apikey alone and passes it on as bearer token', async () => {
    const { publishable } = server.context.keys.gateway;
    const answer = await call('/echo', { headers: { apikey: publishable } }, false);
    const { headers } = await answer.json();
    expect(headers).toMatchObject({
      apikey: publishable,
      authorization: `Bearer ${server.context.keys.anonKey}`,
    });
  });

  it('lets CORS preflights through without a token', async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
    const answer = await call('/echo', { method: 'OPTIONS', headers }, false);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each(['nope', 'off', '_shared', '..%2f..%2fsecret', '.env'])(
    'returns 404 for %s',
    async (name) => {
      const answer = await call(`/${name}`);
      expect([answer.status, answer.headers.get('x-relay-error')]).toEqual([404, 'true']);
      expect(await answer.json()).toEqual({
        code: 'NOT_FOUND',
        message: 'Requested function was not found',
      });
    },
  );
});

function forged(): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ role: 'service_role', exp: 4e9 })}.`;
}

describe('a failing edge function', () => {
  it.each<[string, number, string, boolean]>([
    ['throw', 500, 'WORKER_ERROR', false],
    ['reject', 500, 'WORKER_ERROR', false],
    ['exit', 500, 'WORKER_ERROR', false],
    ['nothing', 500, 'WORKER_ERROR', false],
    ['hang', 504, 'IDLE_TIMEOUT', true],
    ['spin', 546, 'WORKER_LIMIT', true],
    ['heap', 546, 'WORKER_LIMIT', true],
    ['buffers', 546, 'WORKER_LIMIT', true],
  ])(
    '(%s) affects neither the server nor its own next call',
    async (kind, status, code, isRelay) => {
      const answer = await call(`/trouble?kind=${kind}`, {
        headers: { 'x-request-id': 'trouble-1234' },
      });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ code, request_id: 'trouble-1234' });
      expect(answer.headers.get('x-relay-error')).toBe(isRelay ? 'true' : null);
      const next = await call('/trouble?kind=none');
      expect([next.status, await next.text()]).toEqual([200, 'fine']);
    },
  );

  it('aborts the response if its stream fails', async () => {
    const answer = await call('/trouble?kind=halfway');
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  it.each(['broken', 'quiet'])('(%s) before it starts says so, each time', async (name) => {
    for (let round = 0; round < 2; round += 1) {
      const answer = await call(`/${name}`);
      expect([answer.status, await answer.json()]).toEqual([
        503,
        expect.objectContaining({ code: 'BOOT_ERROR' }),
      ]);
    }
  });

  it('is reported by supabase-js as a function error, not as a relay error', async () => {
    const thrown = await server.client().functions.invoke('trouble?kind=throw');
    expect(thrown.error).toBeInstanceOf(FunctionsHttpError);
    const relay = await server.client().functions.invoke('trouble?kind=relay');
    expect(relay.error).toBeInstanceOf(FunctionsRelayError);
    expect((await server.client().functions.invoke('nope')).error).toBeInstanceOf(
      FunctionsRelayError,
    );
  });
});

it('concurrent calls of a function each get their own response', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, number) => {
      const { data } = await server.client().functions.invoke('echo', { body: `call ${number}` });
      return data.body;
    }),
  );
  expect(answers).toEqual(Array.from({ length: 60 }, (_, number) => `call ${number}`));
});
