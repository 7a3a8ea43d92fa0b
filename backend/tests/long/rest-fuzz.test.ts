// Thousands of malformed requests: none may crash the server, block it or leave a trace.
import { Agent, request as httpRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFilms } from '#tests/support/films.ts';
import {
  bytes,
  contentType,
  header,
  json,
  query,
  rawPath,
  target,
} from '#tests/support/rest-garbage.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

/** 20,000 in total. */
const RUNS = { reads: 8000, writes: 8000, addresses: 4000 };
/** Milliseconds after which a request counts as hanging; longer than the statement timeout. */
const PATIENCE = 15_000;

let server: TestServer;
let before: string;
let first = { heap: 0, connections: 0 };

/** Everything that a request could have changed. */
async function fingerprint(): Promise<string> {
  const { rows } = await server.database.owner.query(`
    select (select json_agg(f order by id) from public.films f)::text || (select json_agg(r) from public.roles r)::text
      || (select json_agg(a order by id) from public.actors a)::text
      || (select string_agg(relname, ',' order by relname) from pg_class where relnamespace = 'public'::regnamespace) as all`);
  return rows[0].all;
}

/** Bytes in use after garbage collection. */
function kept(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

const connections = async (): Promise<number> => {
  const { rows } = await server.database.owner.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name <> '' and pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
};

beforeAll(async () => {
  server = await testServer({ LOG_LEVEL: 'silent' });
  await createFilms(server.database.owner);
  // No fuzzed write may store anything, which one table shows.
  await server.database.owner.query(`
    create function public.refuse() returns trigger language plpgsql as $$ begin
      raise exception 'nothing may be written here' using errcode = '23514'; end $$;
    create trigger refuse before insert or update or delete on public.films for each statement execute function public.refuse();
    create trigger refuse before insert or update or delete on public.roles for each statement execute function public.refuse();
    create trigger refuse before insert or update or delete on public.actors for each statement execute function public.refuse();`);
  before = await fingerprint();
});

/** Keep-alive, as in real clients, except when the server closes the connection. */
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const odd = /[^!-~]/;

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** Node's http client sends bytes that fetch would escape. */
function send({ method, path, headers = {}, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const outgoing = httpRequest(
      {
        hostname,
        port,
        method,
        path,
        headers: { ...headers, ...length },
        timeout: PATIENCE,
        agent: path.startsWith('/rest/v1') && !odd.test(path) ? agent : false,
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', reject);
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('The request hangs.')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function isHarmless(sent: Sent): Promise<void> {
  const status = await send(sent);
  if (status < 200 || status >= 500) throw new Error(`${status} for ${JSON.stringify(sent)}`);
}

const IN_FLIGHT = 16;
/** Connections that the pools may open when requests happen to overlap. A leak would leave hundreds. */
const POOLED = 18;

async function throwAt(runs: number, requests: fc.Arbitrary<Sent>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.array(requests, { minLength: IN_FLIGHT, maxLength: IN_FLIGHT }),
      async (all) => {
        await Promise.all(all.map(isHarmless));
      },
    ),
    { numRuns: Math.ceil(runs / IN_FLIGHT) },
  );
  expect(await fingerprint()).toBe(before);
}

describe('the data service survives', { timeout: 120_000 }, () => {
  it('almost valid reads', async () => {
    const method = fc.constantFrom('GET', 'HEAD', 'OPTIONS');
    await throwAt(
      RUNS.reads,
      fc.tuple(method, target, query, header).map(([verb, at, search, headers]) => ({
        method: verb,
        path: `/rest/v1${at}?${search}`,
        headers,
      })),
    );
  });

  it('(memory baseline)', async () => {
    first = { heap: kept(), connections: await connections() };
    expect(first.heap).toBeGreaterThan(0);
  });

  it('writes and calls with all kinds of bodies', async () => {
    const method = fc.constantFrom('POST', 'PATCH', 'PUT', 'DELETE');
    await throwAt(
      RUNS.writes,
      fc
        .tuple(method, target, query, header, contentType, fc.oneof(json, bytes))
        .map(([verb, at, search, headers, type, body]) => ({
          method: verb,
          path: `/rest/v1${at}?${search}`,
          headers: { ...headers, 'content-type': type },
          body,
        })),
    );
  });

  it('raw bytes in the path', async () => {
    const method = fc.constantFrom('GET', 'POST', 'PROPFIND', 'TRACE', 'DELETE');
    await throwAt(
      RUNS.addresses,
      fc
        .tuple(
          method,
          fc.constantFrom(
            '/rest/v1/films?',
            '/rest/v1/',
            '/rest/v1/rpc/add?',
            '/rest/v1/films?select=',
          ),
          rawPath,
        )
        .map(([verb, start, rest]) => ({ method: verb, path: `${start}${rest}` })),
    );
  });

  it.each([
    ['nested embeds', () => `select=${'directors(films('.repeat(40)}id${'))'.repeat(40)}`],
    ['nested logic groups', () => `or=${'(not.and('.repeat(500)}id.eq.1${'))'.repeat(500)}`],
    [
      'many embeds',
      () => `select=${Array.from({ length: 300 }, (_, at) => `a${at}:directors(id)`).join(',')}`,
    ],
    ['many columns', () => `select=${Array.from({ length: 2500 }, () => 'id').join(',')}`],
    ['many filters', () => Array.from({ length: 1500 }, () => 'id=gt.0').join('&')],
    ['a long path', () => `select=facts${'->a'.repeat(3000)}`],
    ['a long list', () => `id=in.(${Array.from({ length: 3000 }, (_, at) => at).join(',')})`],
    ['open quotes', () => `title=in.(${'"'.repeat(3001)})`],
    [
      'a regular expression with exponential run time',
      () => `plot=match.${encodeURIComponent('(a*)*b\\1(.+)+$')}`,
    ],
    ['a chain of casts', () => `select=${'id::text,'.repeat(1000)}id`],
  ])('%s', async (_what, search) => {
    await isHarmless({ method: 'GET', path: `/rest/v1/films?${search()}` });
  });

  it('all of it without leaking memory or connections', async () => {
    const growth = (kept() - first.heap) / (RUNS.writes + RUNS.addresses);
    // Bytes per request since the reads, when caches are full.
    expect(growth).toBeLessThan(1024);
    expect(await connections()).toBeLessThanOrEqual(first.connections + POOLED);
  });

  it('and still responds', async () => {
    const { data, error } = await server.client().from('films').select('id').order('id');
    expect([data?.length, error]).toEqual([5, null]);
  });
});
