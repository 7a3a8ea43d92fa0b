// External providers: a real OpenID Connect provider on loopback, and attacks on the callback.
import { describe, expect, it } from 'vitest';
import { browse, fragmentOf, redirectOf } from '#tests/support/browser-redirects.ts';
import { CLIENT_ID } from '#tests/support/oidc-provider.ts';
import { pkceClient } from '#tests/support/pkce-client.ts';
import { errorOf, serverWithProvider } from '#tests/support/server-with-provider.ts';

const { server, provider, home, callback, person, button, arrive, userOf, actionsOf } =
  await serverWithProvider(
    `[auth.external.away]
enabled = true
client_id = "x"
url = "http://127.0.0.1:9"
[auth.external.google]
enabled = true
client_id = "x"
[auth.external.apple]
enabled = false`,
  );
const { owner } = server.database;

describe('signing in with an external provider', () => {
  it('creates an account the first time and finds it the second time', async () => {
    const { sub, email } = person({ picture: 'https://club.example/a.png' });
    const end = await arrive(sub);
    expect(fragmentOf(end)).toMatchObject({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      provider_token: expect.any(String),
      expires_in: '3600',
      token_type: 'bearer',
    });
    const user = await userOf(end);
    expect(user).toMatchObject({
      email,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: 'club', providers: ['club'] },
      user_metadata: { full_name: 'Ama Doe', avatar_url: 'https://club.example/a.png' },
      identities: [{ provider: 'club', id: sub }],
    });
    expect((await userOf(await arrive(sub))).id).toBe(user.id);
    expect(await actionsOf(user.id)).toEqual(['user_signedup', 'login', 'login']);
    const profile = await owner.query('select full_name from profiles where id = $1', [user.id]);
    expect(profile.rows).toEqual([{ full_name: 'Ama Doe' }]);
  });

  it('returns a code that only the client that started can exchange, once, for the session and provider tokens', async () => {
    const { sub, email } = person();
    const { client } = pkceClient(server);
    const end = await browse(await button(client, sub), home);
    expect(end.hash).toBe('');
    const code = end.searchParams.get('code') ?? '';

    const { client: attacker } = pkceClient(server);
    await button(attacker, sub);
    expect((await attacker.auth.exchangeCodeForSession(code)).error).toMatchObject({
      code: 'bad_code_verifier',
    });
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
    expect(data.session?.provider_token).toEqual(expect.any(String));
    const { data: claims } = await client.auth.getClaims();
    expect(claims?.claims.amr).toMatchObject([{ method: 'oauth' }]);
  });

  it('lets exactly one of many concurrent exchanges of a code succeed', async () => {
    const { sub } = person();
    const { client, verifier } = pkceClient(server);
    const end = await browse(await button(client, sub), home);
    const exchange = () =>
      fetch(`${server.url}/auth/v1/token?grant_type=pkce`, {
        method: 'POST',
        body: JSON.stringify({
          auth_code: end.searchParams.get('code'),
          code_verifier: verifier(),
        }),
      });
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async () => (await exchange()).status),
    );
    expect(statuses.toSorted()).toEqual([200, 404, 404, 404, 404, 404]);
  });

  it('creates one account for a user who signs in on two devices at once', async () => {
    const { sub } = person();
    const ends = await Promise.all([arrive(sub), arrive(sub), arrive(sub)]);
    const users = await Promise.all(ends.map(userOf));
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
  });

  it('passes requested scopes and parameters on, except those that protect the flow', async () => {
    const url = await button(server.client(), 'x', {
      scopes: 'groups email',
      queryParams: {
        prompt: 'login',
        redirect_uri: 'https://evil.example',
        state: 'mine',
        nonce: 'mine',
        response_type: 'token',
        response_mode: 'fragment',
        client_id: 'theirs',
        request_uri: 'https://evil.example',
      },
    });
    const { searchParams } = await redirectOf(url);
    expect(searchParams.get('scope')).toBe('openid email profile groups');
    expect(searchParams.get('prompt')).toBe('login');
    expect(searchParams.get('redirect_uri')).toBe(callback);
    expect(searchParams.get('response_type')).toBe('code');
    expect(searchParams.get('client_id')).toBe(CLIENT_ID);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect([searchParams.get('response_mode'), searchParams.get('request_uri')]).toEqual([
      null,
      null,
    ]);
    expect([searchParams.get('state'), searchParams.get('nonce')]).not.toContain('mine');
  });

  it('accepts a callback sent as a form POST', async () => {
    const { sub } = person();
    const code = await browse(await button(server.client(), sub), callback);
    const end = await redirectOf(callback, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: code.searchParams.toString(),
    });
    expect((await userOf(end)).identities).toMatchObject([{ id: sub }]);
  });

  it('supports a provider that expects the client secret in the body', async () => {
    provider.open(callback, 'client_secret_post');
    const { sub } = person();
    expect((await userOf(await arrive(sub))).identities).toMatchObject([{ id: sub }]);
    provider.open(callback);
  });
});

describe('the callback', () => {
  it('accepts each state once, even concurrently', async () => {
    const { sub } = person();
    const back = await browse(await button(server.client(), sub), callback);
    const ends = await Promise.all(Array.from({ length: 4 }, () => redirectOf(back.href)));
    expect(ends.filter((end) => fragmentOf(end).access_token)).toHaveLength(1);
    const late = await redirectOf(back.href);
    expect(late.origin + late.pathname).toBe(`${server.url}/`);
    expect(errorOf(late)).toEqual([
      'invalid_request',
      'bad_oauth_state',
      'OAuth callback with invalid state',
    ]);
  });

  it.each([
    ['no state', 'code=x', 'bad_oauth_callback'],
    ['an invented state', `code=x&state=${crypto.randomUUID()}`, 'bad_oauth_state'],
    ['a state that is not a uuid', `code=x&state=%00'`, 'bad_oauth_state'],
  ])('with %s redirects to the site with an error', async (_what, query, code) => {
    const end = await redirectOf(`${callback}?${query}`);
    expect(end.origin + end.pathname).toBe(`${server.url}/`);
    expect(errorOf(end)[1]).toBe(code);
  });

  it('expires after five minutes', async () => {
    const { sub } = person();
    const back = await browse(await button(server.client(), sub), callback);
    await owner.query(
      `update auth.flow_state set created_at = created_at - interval '301 seconds' where id = $1`,
      [back.searchParams.get('state')],
    );
    expect(errorOf(await redirectOf(back.href))[1]).toBe('bad_oauth_state');
  });

  it('rejects the code of another sign-in', async () => {
    const victim = await browse(await button(server.client(), person().sub), callback);
    const mine = await browse(await button(server.client(), person().sub), callback);
    mine.searchParams.set('code', victim.searchParams.get('code') ?? '');
    const end = await redirectOf(mine.href);
    expect(errorOf(end)).toEqual([
      'server_error',
      'bad_oauth_callback',
      'Unable to exchange external code: club did not accept it',
    ]);
  });

  it('rejects the response of another provider', async () => {
    const back = await browse(await button(server.client(), person().sub), callback);
    back.searchParams.set('iss', 'https://evil.example');
    expect(errorOf(await redirectOf(back.href))[1]).toBe('bad_oauth_callback');
  });

  it("passes the provider's error on", async () => {
    const end = await arrive('nobody');
    expect(errorOf(end)).toEqual(['access_denied', undefined, 'Not today']);
    const { rows } = await owner.query(
      `select payload -> 'traits' ->> 'reason' as reason from auth.audit_log_entries
       where payload ->> 'action' = 'login_failed' order by created_at desc limit 1`,
    );
    expect(rows).toEqual([{ reason: 'access_denied' }]);
  });

  it.each([
    'https://evil.example/landing',
    '//evil.example',
    'javascript:alert(1)',
    `http://127.0.0.1@evil.example/`,
    'http://127.0.0.1.evil.example/',
  ])('never redirects to %s', async (redirectTo) => {
    const { sub } = person();
    const end = await browse(await button(server.client(), sub, { redirectTo }), `${server.url}/`)
      // Our own callback is one of the redirects.
      .then((address) => redirectOf(address.href));
    expect(end.origin).toBe(server.url);
  });
});

describe('an external provider', () => {
  it('is listed in the settings once configured, and rejected before', async () => {
    const response = await fetch(`${server.url}/auth/v1/settings`);
    expect(await response.json()).toMatchObject({
      external: { club: true, google: true, apple: false, azure: false, email: true },
    });
    const refused = await fetch(`${server.url}/auth/v1/authorize?provider=apple`);
    expect(refused.status).toBe(400);
  });

  it('that is down redirects back with an error', async () => {
    const { data } = await server.client().auth.signInWithOAuth({
      provider: 'custom:away',
      options: { redirectTo: home, skipBrowserRedirect: true },
    });
    const end = await redirectOf(data.url ?? '');
    expect(end.href.startsWith(home)).toBe(true);
    expect(errorOf(end)).toEqual([
      'temporarily_unavailable',
      'provider_unavailable',
      "The sign-in provider away can't be reached at the moment. Please try again in a few minutes.",
    ]);
  });

  it('that goes down during the sign-in redirects back with an error, and works again later', async () => {
    const { sub } = person();
    const back = await browse(await button(server.client(), sub), callback);
    provider.setDown(true);
    expect(errorOf(await redirectOf(back.href))[1]).toBe('provider_unavailable');
    provider.setDown(false);
    expect((await userOf(await arrive(sub))).identities).toMatchObject([{ id: sub }]);
  });
});
