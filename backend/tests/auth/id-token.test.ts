// ID tokens from an app or from a provider's token endpoint: signature, audience, expiry and nonce are checked.
import type { JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import { fragmentOf, redirectOf } from '#tests/support/browser-redirects.ts';
import { CLIENT_ID, forgingProvider } from '#tests/support/forging-provider.ts';
import { projectWith } from '#tests/support/project.ts';
import { testServer } from '#tests/support/server.ts';

const forger = await forgingProvider();
const server = await testServer({
  LOG_LEVEL: 'fatal',
  PROJECT_DIR: await projectWith(
    {},
    `[auth.external.club]
enabled = true
client_id = "${CLIENT_ID}, example-android"
secret = "a-secret-of-this-test-only"
url = "${forger.issuer.slice(0, -1)}"
email_optional = true`,
  ),
});
server.context.settings.auth.enable_manual_linking = true;

const hashed = async (nonce: string): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(nonce))).toString('hex');

const signIn = (token: string, more: { nonce?: string; access_token?: string } = {}) =>
  server.client().auth.signInWithIdToken({ provider: 'custom:club', token, ...more });

/** Requests that supabase-js has no method for. */
const grant = (body: object): Promise<Response> =>
  fetch(`${server.url}/auth/v1/token?grant_type=id_token`, {
    method: 'POST',
    headers: { 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify(body),
  });

async function usersWith(sub: unknown): Promise<number> {
  const { rows } = await server.database.owner.query(
    'select from auth.identities where provider_id = $1',
    [sub],
  );
  return rows.length;
}

describe('an ID token', () => {
  it('signs a new user in and records the provider on the account', async () => {
    const claims = forger.claims({ name: 'Ama Doe', picture: 'https://club.example/a.png' });
    const { data, error } = await signIn(await forger.sign(claims));
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: claims.email,
      app_metadata: { provider: 'club', providers: ['club'] },
      user_metadata: { full_name: 'Ama Doe', avatar_url: 'https://club.example/a.png' },
      identities: [{ provider: 'club', id: claims.sub }],
    });
    const again = await signIn(await forger.sign({ ...claims, iat: (claims.iat ?? 0) + 1 }));
    expect(again.data.user?.id).toBe(data.user?.id);
    const { rows } = await server.database.owner.query(
      `select payload ->> 'action' as action from auth.audit_log_entries
       where payload ->> 'actor_id' = $1 order by created_at`,
      [data.user?.id],
    );
    expect(rows.map(({ action }) => action)).toEqual(['user_signedup', 'login', 'login']);
  });

  it('may be issued for any configured client of the provider, matched by issuer and audience', async () => {
    const claims = forger.claims({ aud: ['elsewhere', 'example-android'] });
    const token = await forger.sign(claims);
    const { issuer } = forger;
    const named = await grant({ id_token: token, issuer, client_id: 'example-android' });
    expect(named.status).toBe(200);
    const { error } = await server.client().auth.signInWithIdToken({ provider: issuer, token });
    expect(error).toBeNull();
  });

  it('with a nonce needs the raw nonce', async () => {
    const claims = forger.claims({ nonce: await hashed('only-once') });
    expect((await signIn(await forger.sign(claims), { nonce: 'only-once' })).error).toBeNull();
  });

  it('with at_hash accepts only the matching access token', async () => {
    const half = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('mine')));
    const claims = forger.claims({ at_hash: half.subarray(0, 16).toString('base64url') });
    const token = await forger.sign(claims);
    expect((await signIn(token, { access_token: 'theirs' })).error?.message).toBe('Bad ID token');
    expect((await signIn(token, { access_token: 'mine' })).error).toBeNull();
  });

  it('needs no email or no nonce if the settings say so', async () => {
    const nameless = forger.claims({ email: undefined, email_verified: undefined });
    const { data } = await signIn(await forger.sign(nameless));
    expect(data.user).toMatchObject({ email: '', is_anonymous: false });

    const { club } = server.context.settings.auth.external;
    if (!club) throw new Error('No provider.');
    club.skipNonceCheck = true;
    try {
      const claims = forger.claims({ nonce: 'of a device' });
      expect((await signIn(await forger.sign(claims))).error).toBeNull();
    } finally {
      club.skipNonceCheck = false;
    }
  });

  const past = Math.floor(Date.now() / 1000) - 600;
  it.each<[string, (claims: JWTPayload) => Promise<string> | string, string]>([
    ['is unsigned', (claims) => forger.forged.unsigned(claims), 'Bad ID token'],
    ['is signed with the public key', (c) => forger.forged.withPublicKey(c), 'Bad ID token'],
    ['is signed with another key', (c) => forger.forged.withOtherKey(c), 'Bad ID token'],
    ['is not a token', () => 'x.y.z', 'Bad ID token'],
    [
      'is from another issuer',
      (c) => forger.sign({ ...c, iss: 'https://a.example' }),
      'Bad ID token',
    ],
    ['has expired', (c) => forger.sign({ ...c, exp: past }), 'Bad ID token'],
    ['never expires', (c) => forger.sign({ ...c, exp: undefined }), 'Bad ID token'],
    ['is not valid yet', (c) => forger.sign({ ...c, nbf: past + 1200 }), 'Bad ID token'],
    [
      'is for another audience',
      (c) => forger.sign({ ...c, aud: ['theirs', 'others'] }),
      'Unacceptable audience in id_token: [theirs others]',
    ],
    [
      'has a nonce that the app did not send',
      (c) => forger.sign({ ...c, nonce: 'n' }),
      'Passed nonce and nonce in id_token should either both exist or not.',
    ],
  ])('that %s is rejected', async (_what, make, message) => {
    const claims = forger.claims();
    const { data, error } = await signIn(await make(claims));
    expect(data.session).toBeNull();
    expect(error).toMatchObject({ status: 400, message });
    expect(await usersWith(claims.sub)).toBe(0);
  });

  it('with another nonce, or without the nonce that was requested, is rejected', async () => {
    const claims = forger.claims({ nonce: await hashed('mine') });
    const wrong = await signIn(await forger.sign(claims), { nonce: 'theirs' });
    expect(wrong.error).toMatchObject({ status: 400, message: 'Nonces mismatch' });
    // Not hashed: the nonce in the token must not itself be accepted.
    const plain = await signIn(await forger.sign(forger.claims({ nonce: 'mine' })), {
      nonce: 'mine',
    });
    expect(plain.error?.message).toBe('Nonces mismatch');
    const none = await signIn(await forger.sign(forger.claims()), { nonce: 'mine' });
    expect(none.error?.status).toBe(400);
  });

  it.each([
    [{ id_token: '', provider: 'club' }, 'id_token required'],
    [{ id_token: 'x' }, 'provider or client_id and issuer required'],
    [{ id_token: 'x', issuer: 'https://a.example' }, 'provider or client_id and issuer required'],
  ])('%j is rejected with the missing field named', async (body, description) => {
    const response = await grant(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'invalid request',
      error_description: description,
    });
  });

  it('of a disabled or unknown provider, or for another client, is rejected', async () => {
    const attempt = async (body: object) =>
      (await server.client().auth.signInWithIdToken({ token: 'x', ...body } as never)).error;
    const token = await forger.sign(forger.claims());
    expect(await attempt({ provider: 'google' })).toMatchObject({
      status: 400,
      message: 'Bad ID token',
    });
    expect(await attempt({ provider: 'google', token })).toMatchObject({
      status: 400,
      code: 'provider_disabled',
      message: 'Provider (issuer "https://accounts.google.com") is not enabled',
    });
    expect(await attempt({ provider: 'nobody' })).toMatchObject({
      status: 400,
      message: 'Custom OIDC provider "nobody" not allowed',
    });
    const other = await grant({ id_token: 'x', issuer: forger.issuer, client_id: 'theirs' });
    expect(await other.json()).toMatchObject({ code: 'provider_disabled' });
  });

  it('with overlong name claims is accepted without them', async () => {
    const claims = forger.claims({ name: 'x'.repeat(20_000), nickname: 'Ama' });
    const { data, error } = await signIn(await forger.sign(claims));
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toMatchObject({ sub: claims.sub, nickname: 'Ama' });
    expect(data.user?.user_metadata).not.toHaveProperty('name');
  });

  it('that is malformed is rejected without a request to the provider', async () => {
    const { discoveries } = forger;
    expect(
      await grant({ id_token: 'x', provider: 'custom:club' }).then((answer) => answer.json()),
    ).toEqual({
      error: 'invalid request',
      error_description: 'Bad ID token',
    });
    expect(forger.discoveries).toBe(discoveries);
  });

  it('links an identity to the signed-in user', async () => {
    const { client, id } = await server.signedUp();
    const claims = forger.claims();
    const token = await forger.sign(claims);
    const linked = await client.auth.linkIdentity({ provider: 'custom:club', token });
    expect(linked.error).toBeNull();
    const user = (await client.auth.getUser()).data.user;
    expect(user?.id).toBe(id);
    expect(user?.identities?.map(({ provider }) => provider)).toEqual(['email', 'club']);
    // The account keeps its own email.
    expect(user?.email).not.toBe(claims.email);

    const attacker = await server.signedUp();
    const stolen = await attacker.client.auth.linkIdentity({ provider: 'custom:club', token });
    expect(stolen.error).toMatchObject({ status: 422, code: 'identity_already_exists' });
    const anonymous = await server.client().auth.linkIdentity({ provider: 'custom:club', token });
    expect(anonymous.error).not.toBeNull();
  });
});

describe('an ID token from the token endpoint', () => {
  async function back(make: (nonce: string) => Promise<string> | string): Promise<URL> {
    const { data } = await server.client().auth.signInWithOAuth({
      provider: 'custom:club',
      options: { redirectTo: `${server.url}/landing`, skipBrowserRedirect: true },
    });
    const { searchParams } = await redirectOf(data.url ?? '');
    forger.idToken = await make(searchParams.get('nonce') ?? '');
    const state = searchParams.get('state');
    return redirectOf(`${server.url}/auth/v1/callback?code=c&state=${state}`);
  }

  it('signs the user in if it is valid', async () => {
    const end = await back((nonce) => forger.sign(forger.claims({ nonce })));
    expect(fragmentOf(end)).toMatchObject({ token_type: 'bearer', provider_token: 'at' });
  });

  it('is completed by userinfo, unless that is about another subject or email', async () => {
    const { id, email: taken } = await server.signedUp();
    const userOf = async (end: URL) =>
      (await server.client().auth.getUser(fragmentOf(end).access_token)).data.user;
    const arrive = (userinfo: object, claims: JWTPayload) => {
      forger.userinfo = userinfo;
      return back((nonce) => forger.sign({ ...claims, nonce }));
    };

    const short = forger.claims({ email: undefined, email_verified: undefined });
    const linked = await arrive({ sub: short.sub, email: taken, email_verified: true }, short);
    expect((await userOf(linked))?.id).toBe(id);

    const silent = forger.claims({ email_verified: undefined });
    const told = { sub: silent.sub, email: silent.email, email_verified: true };
    expect((await userOf(await arrive(told, silent)))?.email_confirmed_at).toBeDefined();

    const other = forger.claims({ email_verified: undefined });
    const elsewhere = await arrive({ sub: other.sub, email: taken, email_verified: true }, other);
    const user = await userOf(elsewhere);
    expect(user?.email).toBe(other.email);
    expect(user?.email_confirmed_at).toBeUndefined();

    const mixed = forger.claims({ email: undefined });
    const end = await arrive({ sub: 'somebody', email: taken, email_verified: true }, mixed);
    expect(fragmentOf(end).error_code).toBe('bad_oauth_callback');
  });

  it('is requested once per state, even if the provider accepts a code twice', async () => {
    const { data } = await server.client().auth.signInWithOAuth({
      provider: 'custom:club',
      options: { redirectTo: `${server.url}/landing`, skipBrowserRedirect: true },
    });
    const { searchParams } = await redirectOf(data.url ?? '');
    forger.idToken = await forger.sign(forger.claims({ nonce: searchParams.get('nonce') }));
    forger.exchanges = 0;
    const back = `${server.url}/auth/v1/callback?code=c&state=${searchParams.get('state')}`;
    const ends = await Promise.all(Array.from({ length: 4 }, () => redirectOf(back)));
    expect(ends.filter((end) => fragmentOf(end).access_token)).toHaveLength(1);
    expect(fragmentOf(await redirectOf(back)).error_code).toBe('bad_oauth_state');
    expect(forger.exchanges).toBe(1);
  });

  it.each<[string, (nonce: string) => Promise<string> | string]>([
    ['has no nonce', () => forger.sign(forger.claims())],
    ['has the nonce of another sign-in', () => forger.sign(forger.claims({ nonce: 'theirs' }))],
    ['is for another audience', (nonce) => forger.sign(forger.claims({ nonce, aud: 'theirs' }))],
    [
      'is from another issuer',
      (nonce) => forger.sign(forger.claims({ nonce, iss: 'https://a.example' })),
    ],
    ['has expired', (nonce) => forger.sign(forger.claims({ nonce, exp: 1000 }))],
    ['is unsigned', (nonce) => forger.forged.unsigned(forger.claims({ nonce }))],
    [
      'is signed with the public key',
      (nonce) => forger.forged.withPublicKey(forger.claims({ nonce })),
    ],
    ['is signed with another key', (nonce) => forger.forged.withOtherKey(forger.claims({ nonce }))],
    ['has no subject', (nonce) => forger.sign(forger.claims({ nonce, sub: '' }))],
  ])('that %s redirects with an error', async (_what, make) => {
    const { rows: before } = await server.database.owner.query('select count(*) from auth.users');
    const end = await back(make);
    expect(end.searchParams.get('error_code')).toBe('bad_oauth_callback');
    expect(fragmentOf(end)).toMatchObject({
      error: 'server_error',
      error_description: 'The answer of the sign-in provider club could not be verified',
    });
    const { rows: after } = await server.database.owner.query('select count(*) from auth.users');
    expect(after).toEqual(before);
  });
});

it("fetches the provider's metadata again after a failure, and then caches it", () => {
  // The failure, the other spelling of the issuer, and the successful response.
  expect(forger.discoveries).toBeLessThanOrEqual(3);
});
