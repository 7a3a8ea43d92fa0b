// Tokens, row-level security per caller, and 40 users on few connections.
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFilms } from '#tests/support/films.ts';
import { type Rest, restOf } from '#tests/support/rest.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

const SECRET = 'super-secret-jwt-token-with-at-least-32-characters-long';
let server: TestServer;
let rest: Rest;

beforeAll(async () => {
  server = await testServer({ JWT_SECRET: SECRET, PGRST_JWT_AUD: 'guards' });
  await createFilms(server.database.owner);
  rest = restOf(server);
});

const now = () => Math.floor(Date.now() / 1000);
const signed = (claims: Record<string, unknown>, secret = SECRET) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token', () => {
  it.each<[string, unknown, number]>([
    ['no audience', undefined, 200],
    ['a null audience', null, 200],
    ['no names in its audience', [], 200],
    ['the audience', 'guards', 200],
    ['the audience among others', ['others', 'guards'], 200],
    ['another audience', 'others', 401],
  ])('with %s: %j', async (_what, aud, status) => {
    const answer = await rest('GET', '/films?limit=1', {
      headers: { authorization: `Bearer ${await signed({ role: 'authenticated', aud })}` },
    });
    expect(answer.status).toBe(status);
    if (status === 401)
      expect(answer.json()).toMatchObject({ code: 'PGRST303', message: 'JWT not in audience' });
  });

  it.each<[string, () => Promise<string> | string, number, string, string]>([
    ['that is malformed', () => 'abc', 401, 'PGRST301', 'Expected 3 parts in JWT; got 1'],
    [
      'with an unparsable payload',
      () => 'a.b.c',
      401,
      'PGRST301',
      'JWT cryptographic operation failed',
    ],
    [
      'signed with another secret',
      () => signed({ role: 'service_role' }, 'x'.repeat(40)),
      401,
      'PGRST301',
      'JWT cryptographic operation failed',
    ],
    [
      'without a signature',
      () => `${part({ alg: 'none' })}.${part({ role: 'service_role' })}.`,
      401,
      'PGRST301',
      'No suitable key or wrong key type',
    ],
    [
      'that has expired',
      () => signed({ role: 'authenticated', exp: now() - 60 }),
      401,
      'PGRST303',
      'JWT expired',
    ],
    [
      'that is not valid yet',
      () => signed({ role: 'authenticated', nbf: now() + 3600 }),
      401,
      'PGRST303',
      'JWT not yet valid',
    ],
    [
      'with an object as audience',
      () => signed({ role: 'authenticated', aud: { invalid: 'value' } }),
      401,
      'PGRST303',
      "The JWT 'aud' claim must be a string or an array of strings",
    ],
    [
      'with audiences that are not all strings',
      () => signed({ role: 'authenticated', aud: [{ invalid: 'value' }, 'test'] }),
      401,
      'PGRST303',
      "The JWT 'aud' claim must be a string or an array of strings",
    ],
    [
      'issued in the future',
      () => signed({ role: 'authenticated', iat: now() + 3600 }),
      401,
      'PGRST303',
      'JWT issued at future',
    ],
    [
      'with an invalid claim',
      () => signed({ role: 'authenticated', exp: 'soon' }),
      401,
      'PGRST303',
      `The JWT 'exp' claim must be a number`,
    ],
    [
      'with a role that does not exist',
      () => signed({ role: 'captain' }),
      401,
      '22023',
      'role "captain" does not exist',
    ],
    [
      'with an empty role',
      () => signed({ role: 'none' }),
      401,
      '22023',
      'role "none" does not exist',
    ],
    [
      "with a role that callers can't have",
      () => signed({ role: 'supabase_admin' }),
      403,
      '42501',
      'permission denied to set role "supabase_admin"',
    ],
  ])('%s is rejected', async (_what, token, status, code, message) => {
    const answer = await rest('GET', '/films', {
      headers: { authorization: `Bearer ${await token()}` },
    });
    expect([answer.status, answer.json()]).toMatchObject([status, { code, message }]);
    if (code.startsWith('PGRST30')) {
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer error="invalid_token", error_description="${message}"`,
      );
    }
  });

  it.each<[string, () => Promise<Record<string, string>> | Record<string, string>, string]>([
    ['nothing', () => ({}), 'anon'],
    ['the anon key', () => ({ apikey: server.context.keys.anonKey }), 'anon'],
    [
      'a signed token',
      async () => ({
        authorization: `Bearer ${await signed({ role: 'authenticated', sub: '1' })}`,
      }),
      'authenticated',
    ],
    [
      'a token beside the anon key',
      async () => ({
        apikey: server.context.keys.anonKey,
        authorization: `Bearer ${await server.context.keys.sign({ role: 'authenticated' })}`,
      }),
      'authenticated',
    ],
    ['the service key', () => ({ apikey: server.context.keys.serviceKey }), 'service_role'],
    ['another scheme', () => ({ authorization: 'Basic eDp5' }), 'anon'],
  ])('%s determines the role', async (_what, headers, role) => {
    await server.database.owner.query('grant execute on function public.whoami() to service_role');
    const answer = await rest('GET', '/rpc/whoami', { headers: await headers() });
    expect(answer.json()).toMatchObject({ user: role, claims: { role } });
  });
});

describe('the anonymous role', () => {
  it('is configurable and can be disabled', async () => {
    const { owner, connection } = server.database;
    const choose = async (text: string) => {
      await owner.query(
        `alter role authenticator in database ${connection.database} ${text}; notify pgrst, 'reload config'`,
      );
      // An unknown name waits until the settings have been read.
      await rest('GET', '/nobody');
    };
    await choose(`set pgrst.db_anon_role = 'authenticated'`);
    expect((await rest('GET', '/rpc/whoami')).json()).toMatchObject({
      user: 'authenticated',
      claims: { role: 'authenticated' },
    });
    const named = restOf(server, await signed({ sub: crypto.randomUUID() }));
    expect((await named('GET', '/rpc/whoami')).json()).toMatchObject({ user: 'authenticated' });
    await choose(`set pgrst.db_anon_role = ''`);
    for (const ask of [rest, named]) {
      const answer = await ask('GET', '/rpc/whoami');
      expect([answer.status, answer.json(), answer.headers.get('www-authenticate')]).toEqual([
        401,
        {
          code: 'PGRST302',
          message: 'Anonymous access is disabled',
          details: null,
          hint: null,
        },
        'Bearer',
      ]);
    }
    const known = restOf(server, await signed({ role: 'authenticated' }));
    expect((await known('GET', '/rpc/whoami')).status).toBe(200);
    await owner.query(
      `alter role authenticator in database ${connection.database} reset pgrst.db_anon_role; notify pgrst, 'reload config'`,
    );
    await known('GET', '/nobody');
    expect((await rest('GET', '/rpc/whoami')).json()).toMatchObject({ user: 'anon' });
  });
});

describe('rows', () => {
  it('are visible to their owner only', async () => {
    const alice = restOf(server, await signed({ role: 'authenticated', sub: crypto.randomUUID() }));
    const bobId = crypto.randomUUID();
    const bob = restOf(server, await signed({ role: 'authenticated', sub: bobId }));
    const made = await bob('POST', '/notes', {
      headers: { prefer: 'return=representation' },
      body: { owner: bobId, body: 'mine' },
    });
    expect(made.status).toBe(201);
    expect((await alice('GET', '/notes')).json()).toEqual([]);
    const forged = await alice('POST', '/notes', { body: { owner: bobId, body: 'not mine' } });
    expect([forged.status, forged.json()]).toMatchObject([403, { code: '42501' }]);
    const changed = await alice('PATCH', '/notes', {
      headers: { prefer: 'return=representation' },
      body: { body: 'taken' },
    });
    expect(changed.json()).toEqual([]);
    expect((await bob('GET', '/notes?select=body')).json()).toEqual([{ body: 'mine' }]);
  });

  it('of 40 users never mix in 4,000 requests on few connections', async () => {
    const users = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const id = crypto.randomUUID();
        await server.database.owner.query(
          'insert into public.notes (owner, body) values ($1, $2)',
          [id, `of ${id}`],
        );
        return { id, ask: restOf(server, await signed({ role: 'authenticated', sub: id })) };
      }),
    );
    let wrong = 0;
    let asked = 0;
    const worker = async (first: number): Promise<void> => {
      for (let turn = 0; turn < 125; turn += 1) {
        const user = users[(first * 7 + turn * 11) % users.length];
        if (user === undefined) throw new Error('There is no such user.');
        // Every fifth request fails in the database: its settings must not remain either.
        const isBroken = turn % 5 === 4;
        const answer = await user.ask(
          'GET',
          isBroken ? '/notes?id=eq.x' : '/notes?select=owner,body',
        );
        asked += 1;
        const expected = isBroken ? 400 : 200;
        if (answer.status !== expected) wrong += 1;
        else if (
          !isBroken &&
          answer.text !== JSON.stringify([{ owner: user.id, body: `of ${user.id}` }])
        )
          wrong += 1;
      }
    };
    await Promise.all(Array.from({ length: 32 }, (_, first) => worker(first)));
    expect({ asked, wrong }).toEqual({ asked: 4000, wrong: 0 });
  });
});
