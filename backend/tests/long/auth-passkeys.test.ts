// Passkeys and security keys, with an authenticator that can also send forged data.
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, it, onTestFinished } from 'vitest';
import ws from 'ws';
import { Authenticator, type Twist } from '#tests/support/authenticator.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer();
const origin = server.url.replace('127.0.0.1', 'localhost');

interface Answer {
  status: number;
  body: Record<string, unknown> & { challenge_id: string; options: never };
}

async function call(method: string, path: string, body?: object, token = ''): Promise<Answer> {
  const response = await fetch(`${server.url}/auth/v1${path}`, {
    method,
    headers: token === '' ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

const tokenOf = async (client: SupabaseClient): Promise<string> =>
  (await client.auth.getSession()).data.session?.access_token ?? '';

/** @returns the response to a registration by this authenticator */
async function register(token: string, device: Authenticator, twist: Twist = {}): Promise<Answer> {
  const { body } = await call('POST', '/passkeys/registration/options', {}, token);
  const credential = device.create(body.options, twist);
  const answer = { challenge_id: body.challenge_id, credential };
  return call('POST', '/passkeys/registration/verify', answer, token);
}

/** A user with a passkey on this device. */
async function withPasskey() {
  const person = await server.signedUp();
  const token = await tokenOf(person.client);
  const device = new Authenticator(origin);
  const { body } = await register(token, device);
  return { ...person, token, device, passkeyId: String(body.id) };
}

async function signIn(device: Authenticator, twist: Twist = {}): Promise<Answer> {
  const { body } = await call('POST', '/passkeys/authentication/options', {});
  const credential = device.get(body.options, twist);
  const answer = { challenge_id: body.challenge_id, credential };
  return call('POST', '/passkeys/authentication/verify', answer);
}

describe('a passkey', () => {
  it('is registered and then signs in on its own', async () => {
    const { id, token, device, passkeyId } = await withPasskey();
    const { status, body } = await signIn(device);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'bearer', user: { id } });
    const claims = JSON.parse(
      Buffer.from(String(body.access_token).split('.')[1] ?? '', 'base64url').toString(),
    );
    expect(claims).toMatchObject({ aal: 'aal1', amr: [{ method: 'passkey' }] });
    const listed = await call('GET', '/passkeys', undefined, token);
    expect(listed.body).toMatchObject([{ id: passkeyId, last_used_at: expect.any(String) }]);
  });

  it('works through supabase-js', async () => {
    const client = createClient(server.url, server.context.keys.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false, experimental: { passkey: true } },
      realtime: { transport: ws as never },
    });
    const { passkey } = client.auth;
    const device = new Authenticator(origin);
    const email = `${crypto.randomUUID()}@test.example`;
    await client.auth.signUp({ email, password: PASSWORD });
    const begun = await passkey.startRegistration();
    if (begun.data === null) throw begun.error;
    const made = device.create({ ...begun.data.options, rp: { id: 'localhost' } });
    const registered = await passkey.verifyRegistration({
      challengeId: begun.data.challenge_id,
      // The client's type only covers sign-in responses.
      credential: made as never,
    });
    expect(registered.error).toBeNull();
    expect((await passkey.list()).data).toMatchObject([{ id: registered.data?.id }]);
    await client.auth.signOut();
    const asked = await passkey.startAuthentication();
    if (asked.data === null) throw asked.error;
    const { error } = await passkey.verifyAuthentication({
      challengeId: asked.data.challenge_id,
      credential: device.get(asked.data.options),
    });
    expect(error).toBeNull();
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
  });

  it('can be renamed and deleted by its owner', async () => {
    const { token, device, passkeyId } = await withPasskey();
    const named = await call(
      'PATCH',
      `/passkeys/${passkeyId}`,
      { friendly_name: ' Phone ' },
      token,
    );
    expect(named.body).toMatchObject({ id: passkeyId, friendly_name: 'Phone' });
    for (const name of ['', 'x'.repeat(121)]) {
      const refused = await call('PATCH', `/passkeys/${passkeyId}`, { friendly_name: name }, token);
      expect(refused.status).toBe(400);
    }
    expect((await call('DELETE', `/passkeys/${passkeyId}`, undefined, token)).status).toBe(204);
    expect(await signIn(device)).toMatchObject({
      status: 400,
      body: { error_code: 'webauthn_verification_failed' },
    });
  });

  const lies: [string, Twist][] = [
    ['another origin', { origin: 'https://elsewhere.example' }],
    ['another relying party', { rpId: 'elsewhere.example' }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['no user verification', { unverified: true }],
  ];
  it.each(lies)('is not registered with %s', async (_what, twist) => {
    const { client } = await server.signedUp();
    const token = await tokenOf(client);
    expect(await register(token, new Authenticator(origin), twist)).toMatchObject({
      status: 400,
      body: { error_code: 'webauthn_verification_failed', msg: 'Credential verification failed' },
    });
  });
  it.each([
    ...lies,
    ['an unregistered key', { wrongKey: true }],
    ['a counter that decreases', { counter: 1 }],
    [
      "another user's handle",
      { userHandle: Buffer.from(crypto.randomUUID()).toString('base64url') },
    ],
  ] as [string, Twist][])('does not sign in with %s', async (_what, twist) => {
    const { device } = await withPasskey();
    expect(await signIn(device, twist)).toMatchObject({
      status: 400,
      body: { error_code: 'webauthn_verification_failed' },
    });
    expect((await signIn(device, { counter: 99 })).status).toBe(200);
  });

  it('answers a challenge once, even concurrently, and only its own challenge', async () => {
    const { device, token } = await withPasskey();
    const { body } = await call('POST', '/passkeys/authentication/options', {});
    const answer = { challenge_id: body.challenge_id, credential: device.get(body.options) };
    const verify = () => call('POST', '/passkeys/authentication/verify', answer);
    const statuses = (await Promise.all([verify(), verify(), verify()])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 400, 400]);
    expect(await verify()).toMatchObject({ body: { error_code: 'webauthn_challenge_not_found' } });

    const own = await call('POST', '/passkeys/registration/options', {}, token);
    const otherUser = await server.signedUp();
    const stolen = {
      challenge_id: own.body.challenge_id,
      credential: new Authenticator(origin).create(own.body.options),
    };
    const path = '/passkeys/registration/verify';
    expect(await call('POST', path, stolen, await tokenOf(otherUser.client))).toMatchObject({
      body: { error_code: 'webauthn_challenge_not_found' },
    });
  });

  it('belongs to one account, and an account has at most ten', async () => {
    const { device, token } = await withPasskey();
    const other = await server.signedUp();
    expect(await register(await tokenOf(other.client), device)).toMatchObject({
      status: 422,
      body: { error_code: 'webauthn_credential_exists' },
    });
    for (let n = 2; n <= 10; n += 1) {
      expect((await register(token, new Authenticator(origin))).status).toBe(200);
    }
    expect(await call('POST', '/passkeys/registration/options', {}, token)).toMatchObject({
      status: 422,
      body: { error_code: 'too_many_passkeys' },
    });
  });

  it.each([
    ['no challenge', { credential: {} }, 'challenge_id is required'],
    ['a malformed id', { challenge_id: 'x', credential: {} }, 'challenge_id must be a valid UUID'],
    ['no credential', { challenge_id: crypto.randomUUID() }, 'credential is required'],
  ])('is rejected with %s', async (_what, body, msg) => {
    const answer = await call('POST', '/passkeys/authentication/verify', body);
    expect(answer).toMatchObject({ status: 400, body: { error_code: 'validation_failed', msg } });
  });

  it('of another user looks the same as a missing one, and needs a session to be read', async () => {
    const { passkeyId } = await withPasskey();
    const otherUser = await tokenOf((await server.signedUp()).client);
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { friendly_name: 'Mine' } : undefined;
      for (const id of [passkeyId, crypto.randomUUID(), 'x']) {
        expect(await call(method, `/passkeys/${id}`, body, otherUser)).toMatchObject({
          status: 404,
          body: { msg: 'Passkey not found' },
        });
      }
    }
    expect((await call('GET', '/passkeys')).status).toBe(401);
    expect((await call('POST', '/passkeys/registration/options', {})).status).toBe(401);
  });

  it('can only be added at aal2 if the user has a second factor', async () => {
    const { client, id } = await server.signedUp();
    await server.database.owner.query(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
       values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
      [id],
    );
    const token = await tokenOf(client);
    expect(await call('POST', '/passkeys/registration/options', {}, token)).toMatchObject({
      status: 403,
      body: { error_code: 'insufficient_aal' },
    });
  });

  it("can't be added with a temporary password, and replacing that password removes earlier passkeys, factors and identities", async () => {
    const { id, email, client, device } = await withPasskey();
    const earlier = await client.auth.mfa.enroll({ factorType: 'totp' });
    const { admin } = server.client(server.context.keys.serviceKey).auth;
    const password = 'temporary-horse-1';
    await admin.updateUserById(id, { password, app_metadata: { must_change_password: true } });
    const { auth } = server.context.settings;
    auth.enable_manual_linking = true;
    onTestFinished(() => {
      auth.enable_manual_linking = false;
    });

    // A person who saw the temporary password, and the owner.
    const [otherUser, owner] = await Promise.all(
      [server.client(), server.client()].map(async (each) => {
        expect((await each.auth.signInWithPassword({ email, password })).error).toBeNull();
        return each;
      }),
    );
    if (!otherUser || !owner) throw new Error('Two clients expected.');
    const token = await tokenOf(otherUser);
    const factor = `/factors/${earlier.data?.id}`;
    for (const [path, body] of [
      ['/passkeys/registration/options', {}],
      ['/passkeys/registration/verify', { challenge_id: crypto.randomUUID(), credential: {} }],
      ['/factors', { factor_type: 'totp' }],
      ['/factors', { factor_type: 'webauthn', friendly_name: 'key' }],
      [`${factor}/challenge`, {}],
      [`${factor}/verify`, { challenge_id: crypto.randomUUID(), code: '123456' }],
    ] as const) {
      expect(await call('POST', path, body, token), path).toMatchObject({
        status: 403,
        body: { code: 403, error_code: 'password_change_required' },
      });
    }
    expect((await otherUser.auth.linkIdentity({ provider: 'google' })).error).toMatchObject({
      status: 403,
      code: 'password_change_required',
    });

    expect((await owner.auth.updateUser({ password: 'own-battery-2' })).error).toBeNull();
    expect((await call('GET', '/user', undefined, token)).status).toBe(403);
    expect((await signIn(device)).status).toBe(400);
    expect((await owner.auth.getUser()).data.user?.factors ?? []).toEqual([]);
    expect((await register(await tokenOf(owner), new Authenticator(origin))).status).toBe(200);
  });

  it('does not sign a banned user in', async () => {
    const { device, id } = await withPasskey();
    await server.database.owner.query(
      `update auth.users set banned_until = now() + interval '1 hour' where id = $1`,
      [id],
    );
    expect(await signIn(device)).toMatchObject({ body: { error_code: 'user_banned' } });
  });

  it('is rejected when passkeys are disabled', async () => {
    const { passkey } = server.context.settings.auth;
    passkey.enabled = false;
    for (const [method, path] of [
      ['GET', '/passkeys'],
      ['POST', '/passkeys/authentication/options'],
    ] as const) {
      expect(await call(method, path)).toMatchObject({
        status: 404,
        body: { error_code: 'passkey_disabled', msg: 'Passkeys are disabled' },
      });
    }
    passkey.enabled = true;
  });

  it('can be listed and removed with the service key', async () => {
    const { id, passkeyId } = await withPasskey();
    const key = server.context.keys.serviceKey;
    const path = `/admin/users/${id}/passkeys`;
    expect((await call('GET', path, undefined, key)).body).toMatchObject([{ id: passkeyId }]);
    expect((await call('DELETE', `${path}/${passkeyId}`, undefined, key)).status).toBe(204);
    expect((await call('GET', path, undefined, key)).body).toEqual([]);
  });
});

describe('a security key as second factor', () => {
  interface Challenge {
    id: string;
    webauthn: { type: string; credential_options: { publicKey: never } };
  }
  const begin = async (token: string, factorId: string): Promise<Challenge> => {
    const { body } = await call('POST', `/factors/${factorId}/challenge`, {}, token);
    return body as unknown as Challenge;
  };
  const answer = (token: string, factorId: string, challenge: Challenge, response: object) =>
    call(
      'POST',
      `/factors/${factorId}/verify`,
      {
        challenge_id: challenge.id,
        webauthn: { type: challenge.webauthn.type, credential_response: response },
      },
      token,
    );

  it('is enrolled, required at the next sign-in, and raises the session to aal2', async () => {
    const { client, email } = await server.signedUp();
    const token = await tokenOf(client);
    const device = new Authenticator(origin);
    const enrolled = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' });
    const factorId = enrolled.data?.id ?? '';
    const creation = await begin(token, factorId);
    expect(creation.webauthn.type).toBe('create');
    const made = device.create(creation.webauthn.credential_options.publicKey);
    expect(await answer(token, factorId, creation, made)).toMatchObject({ status: 200 });

    const later = server.client();
    await later.auth.signInWithPassword({ email, password: PASSWORD });
    const half = await tokenOf(later);
    const request = await begin(half, factorId);
    expect(request.webauthn.type).toBe('request');
    const { publicKey } = request.webauthn.credential_options;
    const forged = await answer(half, factorId, request, device.get(publicKey, { wrongKey: true }));
    expect(forged).toMatchObject({ status: 422, body: { error_code: 'mfa_verification_failed' } });
    const response = device.get(publicKey);
    const raised = await answer(half, factorId, request, response);
    expect(raised.status).toBe(200);
    const claims = JSON.parse(
      Buffer.from(String(raised.body.access_token).split('.')[1] ?? '', 'base64url').toString(),
    );
    expect(claims).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'mfa/webauthn' }, { method: 'password' }],
    });
    expect((await answer(half, factorId, request, response)).status).toBe(422);
  });
});
