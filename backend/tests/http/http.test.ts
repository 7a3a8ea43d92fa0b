// All services: health, connection settings, CORS, security headers, unknown paths.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cleanUp } from '#tests/support/clean-up.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { PASSWORD, type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer();
});

describe('the server', () => {
  it('reports liveness and readiness', async () => {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it('allows every origin and answers preflights', async () => {
    const asked = await fetch(`${server.url}/rest/v1/anything`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'apikey, x-new-header',
      },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe('*');
    expect(asked.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(asked.headers.get('access-control-allow-headers')).toBe('apikey, x-new-header');
    const refused = await fetch(`${server.url}/auth/v1/user`, {
      headers: { origin: 'https://elsewhere.example' },
    });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-expose-headers')).toContain('Content-Range');
  });

  it("keeps a proxy's request id and generates one otherwise", async () => {
    const given = await fetch(`${server.url}/rest/v1/`, {
      headers: { 'x-request-id': 'proxy-id-1' },
    });
    expect(given.headers.get('sb-request-id')).toBe('proxy-id-1');
    const forged = await fetch(`${server.url}/rest/v1/`, {
      headers: { 'x-request-id': '<b>no</b>' },
    });
    expect(forged.headers.get('sb-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('malformed requests', () => {
  const send = (bytes: Buffer): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () =>
        socket.write(bytes),
      );
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.once('error', reject);
      socket.once('close', () => resolve(answer));
    });

  it.each([
    [
      'a raw byte in the path',
      Buffer.from('GET /rest/v1/a\xff HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'),
      400,
    ],
    ['no request line', Buffer.from('\u0000\u0001 nonsense\r\n\r\n'), 400],
    [
      'endless headers',
      Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`),
      431,
    ],
    [
      'two Host headers',
      Buffer.from('GET /rest/v1/ HTTP/1.1\r\nHost: a.example\r\nhost: b.example\r\n\r\n'),
      400,
    ],
    [
      'two equal Host headers for a page',
      Buffer.from('GET / HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n\r\n'),
      400,
    ],
    [
      'two Host headers for a WebSocket',
      Buffer.from(
        'GET /realtime/v1/websocket HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      ),
      400,
    ],
  ])('with %s get a response and the connection is closed', async (_, bytes, status) => {
    const answer = await send(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^connection: close/im);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

/** The first bytes that a starting PostgreSQL sends to a new connection. */
function startingUp(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', ''];
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A TCP proxy to the database that a test can interrupt. */
async function interruptible(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isAway = false;
  const proxy = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {});
    if (isAway) {
      client.once('data', () => client.end(startingUp()));
      return;
    }
    const upstream = connect(Number(port), hostname);
    sockets.add(upstream);
    upstream.on('error', () => {});
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  cleanUp(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const through = new URL(url);
  through.port = String((proxy.address() as AddressInfo).port);
  return {
    url: through.href,
    cut: () => {
      isAway = true;
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    restore: () => {
      isAway = false;
    },
  };
}

describe('the log of the embedded PostgreSQL', () => {
  it('is limited in size and contains no rows or requests', async () => {
    const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'test-log-'));
    cleanUp(() => rm(DATA_DIR, { recursive: true, force: true }));
    const log = path.join(DATA_DIR, 'postgres.log');
    await writeFile(log, 'old\n'.repeat(2_000_000));
    // DATABASE_URL empty: the embedded PostgreSQL.
    const own = await testServer({ DATABASE_URL: '', DATA_DIR, LOG_LEVEL: 'silent' });
    expect((await stat(log)).size).toBeLessThan(1_000_000);
    expect((await stat(`${log}.1`)).size).toBe(8_000_000);

    await own.context.database.owner.query(`
      create table public.box (id int primary key, body text unique, check (body <> 'hollow'));
      insert into public.box values (1, 'shown');
      grant all on public.box to anon;`);
    const boxes = own.client().from('box');
    const secret = 'a-private-value';
    expect((await boxes.insert({ id: 2, body: secret })).error).toBeNull();
    expect((await boxes.insert({ id: 3, body: secret })).error?.code).toBe('23505');
    expect((await boxes.insert({ id: secret })).error?.code).toBe('22P02');
    await own.context.database.owner
      .query('insert into public.box values (4, $1)', [secret])
      .catch(() => {});
    const text = await readFile(log, 'utf8');
    expect(text).not.toContain(secret);
    // The owner's failures are logged, without values.
    expect(text).toContain('duplicate key value violates unique constraint');
  });
});

describe('while the database restarts', () => {
  it('every service answers 503 with Retry-After, and recovers on its own', async () => {
    const way = await interruptible((await freshDatabase()).url);
    const away = await testServer({ DATABASE_URL: way.url, LOG_LEVEL: 'silent' });
    const { client, email } = await away.signedUp();
    const { data } = await client.auth.getSession();
    const authorization = `Bearer ${data.session?.access_token}`;
    const json = { 'content-type': 'application/json' };
    const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });
    const message = { topic: 'room', event: 'e', payload: {}, private: true };
    const requests: [path: string, init?: RequestInit][] = [
      ['/rest/v1/profiles?limit=1'],
      ['/rest/v1/rpc/count_profiles', post({})],
      ['/auth/v1/user'],
      ['/auth/v1/token?grant_type=password', post({ email, password: PASSWORD })],
      ['/storage/v1/bucket'],
      ['/storage/v1/object/documents/x', post('x')],
      ['/storage/v1/object/public/documents/x'],
      ['/realtime/v1/api/broadcast', post({ messages: [message] })],
    ];
    const ask = (): Promise<[string, number, string | null][]> =>
      Promise.all(
        requests.map(async ([path, init]) => {
          const headers = { authorization, apikey: away.context.keys.anonKey, ...json };
          const { status, headers: sent } = await fetch(`${away.url}${path}`, { ...init, headers });
          return [path, status, sent.get('retry-after')];
        }),
      );
    const before = await ask();
    expect(before.filter(([, status]) => status >= 500)).toEqual([]);
    way.cut();
    // The first requests meet closed connections, the second a starting server.
    for (const _ of [1, 2]) {
      expect(await ask()).toEqual(requests.map(([path]) => [path, 503, '1']));
    }
    way.restore();
    await expect.poll(ask).toEqual(before);
  });
});
