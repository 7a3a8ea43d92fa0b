import { decodeProtectedHeader } from 'jose';
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

it('key rotation never retires the signing key or an unknown key', async () => {
  const [current] = keys.jwks.keys;
  await expect(retireKey(config.dataDir, current?.kid ?? '')).rejects.toThrow(/signs at present/);
  await expect(retireKey(config.dataDir, 'nonsense')).rejects.toThrow(/no key named nonsense/);
});
