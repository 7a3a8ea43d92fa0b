import { createHmac } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const server = await testServer();
const { keys } = server.context;
const kid = keys.jwks.keys[0]?.kid ?? '';

async function getUser(
  headers: Record<string, string>,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.url}/auth/v1/user`, { headers });
  return { status: response.status, body: await response.json() };
}

const withToken = (token: string) => getUser({ authorization: `Bearer ${token}` });
const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

async function claims(changes: JWTPayload = {}): Promise<JWTPayload> {
  const { client } = await server.signedUp();
  const { data } = await client.auth.getClaims();
  return { ...data?.claims, ...changes };
}

describe('a bearer token', () => {
  it.each([
    ['no token', {}],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['an API key alone', { apikey: keys.anonKey }],
    ['a publishable key alone', { apikey: keys.gateway.publishable }],
  ])('is reported as missing with %s', async (_what, headers) => {
    expect(await getUser(headers)).toMatchObject({
      status: 401,
      body: {
        error_code: 'no_authorization',
        msg: 'This endpoint requires a valid Bearer token',
      },
    });
  });

  it.each(['/factors', '/passkeys/registration/options', '/factors/x/challenge', '/logout'])(
    'is required at POST %s even with an API key',
    async (path) => {
      const response = await fetch(`${server.url}/auth/v1${path}`, {
        method: 'POST',
        headers: { apikey: keys.anonKey },
        body: '{"factor_type":"totp"}',
      });
      expect([response.status, await response.json()]).toMatchObject([
        401,
        { error_code: 'no_authorization' },
      ]);
    },
  );

  it.each(['garbage', 'a.b.c', 'a.b.c.d.e', `${'x'.repeat(6000)}.y.z`, '..', 'nul%00'])(
    'is rejected if it is %s',
    async (token) => {
      expect(await withToken(token)).toMatchObject({
        status: 403,
        body: {
          error_code: 'bad_jwt',
          msg: expect.stringMatching(
            /^invalid JWT: unable to parse or verify signature, token is malformed/,
          ),
        },
      });
    },
  );

  const forgeries: [string, (claims: JWTPayload) => Promise<string>, RegExp][] = [
    [
      'alg none',
      async (body) => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(body)}.`,
      /signing method/,
    ],
    [
      'HS256 with the public key as secret',
      async (body) => {
        const head = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${encode(body)}`;
        const secret = JSON.stringify(keys.jwks.keys[0]);
        return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
      },
      /unrecognized JWT kid/,
    ],
    [
      'another key with the kid of ours',
      async (body) => {
        const { privateKey } = await generateKeyPair('ES256');
        return new SignJWT(body).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
      },
      /signature is invalid/,
    ],
    [
      'a key embedded in its header',
      async (body) => {
        const { privateKey, publicKey } = await generateKeyPair('ES256');
        const jwk = await exportJWK(publicKey);
        return new SignJWT(body)
          .setProtectedHeader({ alg: 'ES256', kid: 'mine', jwk })
          .sign(privateKey);
      },
      /unrecognized JWT kid/,
    ],
    [
      'changed claims under a valid signature',
      async (body) => {
        const [head, , signature] = (await keys.sign(body)).split('.');
        return `${head}.${encode({ ...body, role: 'service_role' })}.${signature}`;
      },
      /signature is invalid/,
    ],
    [
      'an expiry in the past',
      (body) => keys.sign({ ...body, exp: Math.floor(Date.now() / 1000) - 60 }),
      /token has invalid claims: token is expired$/,
    ],
    [
      'another issuer',
      (body) => keys.sign({ ...body, iss: 'https://elsewhere.example' }),
      /issuer/,
    ],
    ['another audience', (body) => keys.sign({ ...body, aud: 'elsewhere' }), /audience/],
  ];
  it.each(forgeries)('is rejected with %s', async (_what, forge, reason) => {
    const answer = await withToken(await forge(await claims()));
    expect(answer).toMatchObject({
      status: 403,
      body: { error_code: 'bad_jwt', msg: expect.stringMatching(reason) },
    });
  });
});

describe('a token signed by this server', () => {
  const misfits: [string, JWTPayload, number, string, string][] = [
    ['no subject', { sub: undefined }, 403, 'bad_jwt', 'invalid claim: missing sub claim'],
    [
      'a subject that is not a uuid',
      { sub: 'root' },
      400,
      'bad_jwt',
      'invalid claim: sub claim must be a UUID',
    ],
    [
      'a deleted user',
      { sub: crypto.randomUUID() },
      403,
      'user_not_found',
      'User from sub claim in JWT does not exist',
    ],
    [
      'a deleted session',
      { session_id: crypto.randomUUID() },
      403,
      'session_not_found',
      'Session from session_id claim in JWT does not exist',
    ],
    [
      'a session id that is not a uuid',
      { session_id: 'x' },
      403,
      'bad_jwt',
      'invalid claim: session_id claim must be a UUID',
    ],
  ];
  it.each(misfits)('is rejected with %s', async (_what, change, status, code, msg) => {
    const answer = await withToken(await keys.sign(await claims(change)));
    expect(answer).toMatchObject({ status, body: { error_code: code, msg } });
  });

  it("is rejected with another user's session", async () => {
    const other = await claims();
    const answer = await withToken(await keys.sign(await claims({ session_id: other.session_id })));
    expect(answer).toMatchObject({ status: 403, body: { error_code: 'session_not_found' } });
  });

  it('is rejected at once when the user is banned or the session has expired', async () => {
    const { owner } = server.database;
    const { client, id } = await server.signedUp();
    const sign = () => client.auth.getUser();
    await owner.query(`update auth.sessions set not_after = now() where user_id = $1`, [id]);
    expect((await sign()).error).toMatchObject({ status: 403, code: 'session_expired' });
    await owner.query(`update auth.sessions set not_after = null where user_id = $1`, [id]);
    await owner.query(
      `update auth.users set banned_until = now() + interval '1 hour' where id = $1`,
      [id],
    );
    expect((await sign()).error).toMatchObject({ status: 403, code: 'user_banned' });
  });

  it('is rejected when it is the anon key, which has no user', async () => {
    expect(await withToken(keys.anonKey)).toMatchObject({
      status: 403,
      body: { msg: 'invalid claim: missing sub claim' },
    });
  });
});
