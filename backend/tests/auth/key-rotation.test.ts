import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { retireKey, rotateKeys } from '#backend/keys/key-files.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer();
const { keys, config } = server.context;

const kidOf = (token = ''): string => decodeProtectedHeader(token).kid ?? '';

it('key rotation signs with a new key while tokens of the old key stay valid everywhere', async () => {
  const person = await server.signedUp();
  const { anonKey } = keys;
  const before = (await person.client.auth.getSession()).data.session;
  const first = kidOf(before?.access_token);

  const second = await rotateKeys(config.dataDir);
  await keys.reload();
  const jwks = await (await fetch(`${server.url}/auth/v1/.well-known/jwks.json`)).json();
  expect(jwks.keys.map(({ kid }: { kid: string }) => kid)).toEqual([second, first]);
  expect(JSON.stringify(jwks)).not.toContain('"d"');

  // The old token and the old anon key, at the auth and the data service.
  expect((await person.client.auth.getUser()).error).toBeNull();
  const own = await person.client.from('profiles').select('id');
  expect(own.data).toEqual([{ id: person.id }]);
  const visitor = server.client(anonKey);
  const signedIn = await visitor.auth.signInWithPassword({
    email: person.email,
    password: PASSWORD,
  });
  expect(kidOf(signedIn.data.session?.access_token)).toBe(second);
  // A refresh moves the session to the new key.
  const refreshed = await person.client.auth.refreshSession();
  expect(kidOf(refreshed.data.session?.access_token)).toBe(second);

  await retireKey(config.dataDir, first);
  await keys.reload();
  const stolen = await fetch(`${server.url}/auth/v1/user`, {
    headers: { authorization: `Bearer ${before?.access_token}` },
  });
  expect(stolen.status).toBe(403);
  const rest = await fetch(`${server.url}/rest/v1/profiles`, {
    headers: { authorization: `Bearer ${before?.access_token}` },
  });
  expect(rest.status).toBe(401);
  expect((await person.client.auth.getUser()).error).toBeNull();
});

it('given keys: the one that may sign signs, and a shared secret verifies by its id', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const es = { ...(await exportJWK(privateKey)), kid: 'old', alg: 'ES256', key_ops: ['verify'] };
  const oct = (kid: string, ...key_ops: string[]) => {
    const k = Buffer.from(`${kid}-`.repeat(10)).toString('base64url');
    return { kty: 'oct', k, kid, alg: 'HS256', key_ops };
  };
  const given = await testServer({
    JWT_KEYS: JSON.stringify({ keys: [es, oct('one', 'verify'), oct('two', 'sign', 'verify')] }),
  });
  const person = await given.signedUp();
  const session = (await person.client.auth.getSession()).data.session;
  expect(decodeProtectedHeader(session?.access_token ?? '')).toMatchObject({
    alg: 'HS256',
    kid: 'two',
  });
  expect((await person.client.auth.getUser()).error).toBeNull();
  expect((await person.client.from('profiles').select('id')).data).toEqual([{ id: person.id }]);

  const sub = person.id;
  const read = async (key: Parameters<SignJWT['sign']>[0], alg: string, kid?: string) => {
    const token = await new SignJWT({ role: 'authenticated', sub, ...(await claims()) })
      .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
      .sign(key);
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${given.url}/rest/v1/profiles?select=id`, { headers })).status;
  };
  const claims = async () => decodeJwt(session?.access_token ?? '');
  const secretOf = (kid: string) => Buffer.from(`${kid}-`.repeat(10));
  expect(await read(secretOf('one'), 'HS256', 'one')).toBe(200);
  expect(await read(secretOf('one'), 'HS256')).toBe(200);
  expect(await read(secretOf('two'), 'HS256', 'one')).toBe(401);
  expect(await read(secretOf('other'), 'HS256')).toBe(401);
  expect(await read(privateKey, 'ES256', 'old')).toBe(200);
  expect(given.context.keys.jwks.keys.map(({ kid }) => kid)).toEqual(['old']);
  // The public key is no secret: nobody signs with it.
  const exported = Buffer.from(JSON.stringify(await exportJWK(publicKey)));
  expect(await read(exported, 'HS256', 'old')).toBe(401);
});

it('key rotation never retires the signing key or an unknown key', async () => {
  const [current] = keys.jwks.keys;
  await expect(retireKey(config.dataDir, current?.kid ?? '')).rejects.toThrow(/signs at present/);
  await expect(retireKey(config.dataDir, 'nonsense')).rejects.toThrow(/no key named nonsense/);
});
