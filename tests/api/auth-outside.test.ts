// Signing in with an outside provider: a real OpenID Connect provider on loopback, and the attacks on the way back from it.
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { newestLetter } from '#tests/support/mailbox.ts';
import { CLIENT_ID, CLIENT_SECRET, oidcProvider } from '#tests/support/oidc-provider.ts';
import { browse, fragmentOf, redirectOf } from '#tests/support/outside-browser.ts';
import { pkceClient } from '#tests/support/pkce-client.ts';
import { projectWith } from '#tests/support/project.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const idp = await oidcProvider();
const server = await testServer({
  LOG_LEVEL: 'fatal',
  CLUB_SECRET: CLIENT_SECRET,
  PROJECT_DIR: await projectWith(
    {},
    `[auth.external.club]
enabled = true
client_id = "${CLIENT_ID}"
secret = "env(CLUB_SECRET)"
url = "${idp.issuer}"
[auth.external.away]
enabled = true
client_id = "x"
url = "http://127.0.0.1:9"
[auth.external.google]
enabled = true
client_id = "x"
[auth.external.apple]
enabled = false`,
  ),
});
const { owner } = server.database;
const settings = server.context.settings.auth;
const HOME = `${server.url}/landing`;
const CALLBACK = `${server.url}/auth/v1/callback`;

beforeAll(() => idp.open(CALLBACK));

/** Somebody whom the provider knows. */
function person(claims: Record<string, unknown> = {}): { sub: string; email: string } {
  const sub = crypto.randomUUID();
  const email = `${sub}@test.example`;
  idp.people.set(sub, { email, email_verified: true, name: 'Ama Doe', ...claims });
  return { sub, email: typeof claims.email === 'string' ? claims.email : email };
}

/** @returns the address that a click on the provider's button opens */
async function button(client: SupabaseClient, sub: string, more: object = {}): Promise<string> {
  const { data, error } = await client.auth.signInWithOAuth({
    provider: 'club' as never,
    options: {
      redirectTo: HOME,
      skipBrowserRedirect: true,
      queryParams: { login_hint: sub },
      ...more,
    },
  });
  if (error) throw error;
  return data.url ?? '';
}

/** Signs in with the provider in the implicit flow. @returns where the browser ends */
const arrive = async (sub: string): Promise<URL> =>
  browse(await button(server.client(), sub), HOME);

/** @returns the user behind the session that the browser came back with */
async function userOf(end: URL) {
  const { access_token: token = '' } = fragmentOf(end);
  const { data, error } = await server.client().auth.getUser(token);
  if (error) throw error;
  return data.user;
}

const errorOf = (end: URL) => {
  const { error, error_code, error_description } = fragmentOf(end);
  // The same stands in the query, for the address's own server.
  expect(end.searchParams.get('error_description')).toBe(error_description);
  return [error, error_code, error_description];
};

async function actionsOf(id: string | undefined): Promise<string[]> {
  const { rows } = await owner.query<{ action: string }>(
    `select payload ->> 'action' as action from auth.audit_log_entries
     where payload ->> 'actor_id' = $1 order by created_at`,
    [id],
  );
  return rows.map(({ action }) => action);
}

describe('signing in with a provider', () => {
  it('makes an account at the first time, and finds it at the second', async () => {
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

  it('gives a code to the client that began, which gets session and provider tokens for it once', async () => {
    const { sub, email } = person();
    const { client } = pkceClient(server);
    const end = await browse(await button(client, sub), HOME);
    expect(end.hash).toBe('');
    const code = end.searchParams.get('code') ?? '';

    const { client: thief } = pkceClient(server);
    await button(thief, sub);
    expect((await thief.auth.exchangeCodeForSession(code)).error).toMatchObject({
      code: 'bad_code_verifier',
    });
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
    expect(data.session?.provider_token).toEqual(expect.any(String));
    const { data: claims } = await client.auth.getClaims();
    expect(claims?.claims.amr).toMatchObject([{ method: 'oauth' }]);
  });

  it('lets one of many win who use one code at once', async () => {
    const { sub } = person();
    const { client, verifier } = pkceClient(server);
    const end = await browse(await button(client, sub), HOME);
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

  it('makes one account for one person who arrives on two devices at once', async () => {
    const { sub } = person();
    const ends = await Promise.all([arrive(sub), arrive(sub), arrive(sub)]);
    const users = await Promise.all(ends.map(userOf));
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
  });

  it('asks the provider for more when the app wants more, but never lets it change what is safe', async () => {
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
    expect(searchParams.get('redirect_uri')).toBe(CALLBACK);
    expect(searchParams.get('response_type')).toBe('code');
    expect(searchParams.get('client_id')).toBe(CLIENT_ID);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect([searchParams.get('response_mode'), searchParams.get('request_uri')]).toEqual([
      null,
      null,
    ]);
    expect([searchParams.get('state'), searchParams.get('nonce')]).not.toContain('mine');
  });

  it('takes a callback that the provider posts as a form', async () => {
    const { sub } = person();
    const code = await browse(await button(server.client(), sub), CALLBACK);
    const end = await redirectOf(CALLBACK, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: code.searchParams.toString(),
    });
    expect((await userOf(end)).identities).toMatchObject([{ id: sub }]);
  });

  it('tells a provider that wants the secret in the body apart', async () => {
    idp.open(CALLBACK, 'client_secret_post');
    const { sub } = person();
    expect((await userOf(await arrive(sub))).identities).toMatchObject([{ id: sub }]);
    idp.open(CALLBACK);
  });
});

describe('the way back', () => {
  it('is open once for each state, also for two at once', async () => {
    const { sub } = person();
    const back = await browse(await button(server.client(), sub), CALLBACK);
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
    ['a made-up state', `code=x&state=${crypto.randomUUID()}`, 'bad_oauth_state'],
    ['a state that is no uuid', `code=x&state=%00'`, 'bad_oauth_state'],
  ])('with %s leads home with an error', async (_what, query, code) => {
    const end = await redirectOf(`${CALLBACK}?${query}`);
    expect(end.origin + end.pathname).toBe(`${server.url}/`);
    expect(errorOf(end)[1]).toBe(code);
  });

  it('closes after five minutes', async () => {
    const { sub } = person();
    const back = await browse(await button(server.client(), sub), CALLBACK);
    await owner.query(
      `update auth.flow_state set created_at = created_at - interval '301 seconds' where id = $1`,
      [back.searchParams.get('state')],
    );
    expect(errorOf(await redirectOf(back.href))[1]).toBe('bad_oauth_state');
  });

  it("does not take one sign-in's code for another's", async () => {
    const victim = await browse(await button(server.client(), person().sub), CALLBACK);
    const mine = await browse(await button(server.client(), person().sub), CALLBACK);
    mine.searchParams.set('code', victim.searchParams.get('code') ?? '');
    const end = await redirectOf(mine.href);
    expect(errorOf(end)).toEqual([
      'server_error',
      'bad_oauth_callback',
      'Unable to exchange external code: club did not accept it',
    ]);
  });

  it('does not take the answer of another provider', async () => {
    const back = await browse(await button(server.client(), person().sub), CALLBACK);
    back.searchParams.set('iss', 'https://evil.example');
    expect(errorOf(await redirectOf(back.href))[1]).toBe('bad_oauth_callback');
  });

  it('says what the provider said, when that sends somebody away', async () => {
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
  ])('never leads to %s', async (redirectTo) => {
    const { sub } = person();
    const end = await browse(await button(server.client(), sub, { redirectTo }), `${server.url}/`)
      // Our own callback is on the way.
      .then((address) => redirectOf(address.href));
    expect(end.origin).toBe(server.url);
  });
});

describe('a provider', () => {
  it('is shown once it is configured, and refused before', async () => {
    const response = await fetch(`${server.url}/auth/v1/settings`);
    expect(await response.json()).toMatchObject({
      external: { club: true, google: true, apple: false, azure: false, email: true },
    });
    const refused = await fetch(`${server.url}/auth/v1/authorize?provider=apple`);
    expect(refused.status).toBe(400);
  });

  it('that is down leads back with an error that says so', async () => {
    const { data } = await server.client().auth.signInWithOAuth({
      provider: 'away' as never,
      options: { redirectTo: HOME, skipBrowserRedirect: true },
    });
    const end = await redirectOf(data.url ?? '');
    expect(end.href.startsWith(HOME)).toBe(true);
    expect(errorOf(end)).toEqual([
      'temporarily_unavailable',
      'provider_unavailable',
      "The sign-in provider away can't be reached at the moment. Please try again in a few minutes.",
    ]);
  });

  it('that goes down in between leads back, too, and works again later', async () => {
    const { sub } = person();
    const back = await browse(await button(server.client(), sub), CALLBACK);
    idp.setDown(true);
    expect(errorOf(await redirectOf(back.href))[1]).toBe('provider_unavailable');
    idp.setDown(false);
    expect((await userOf(await arrive(sub))).identities).toMatchObject([{ id: sub }]);
  });
});

describe('whose account it is', () => {
  it('is the one with the same address, when the provider vouches for it', async () => {
    const { id, email, client } = await server.signedUp();
    const { sub } = person({ email: email.toUpperCase() });
    const user = await userOf(await arrive(sub));
    expect(user.id).toBe(id);
    expect(user.app_metadata).toEqual({ provider: 'email', providers: ['club', 'email'] });
    expect(user.user_metadata.full_name).toBe('Test Person');
    expect(await actionsOf(id)).toContain('identity_linked');
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  it.each([false, 'false', undefined, null, 0])(
    'is not that of somebody else, when the provider says email_verified: %j',
    async (email_verified) => {
      const { id, email } = await server.signedUp();
      const { sub } = person({ email, email_verified });
      const end = await arrive(sub);
      expect(errorOf(end)).toEqual([
        'access_denied',
        'provider_email_needs_verification',
        'Unverified email with club. Verify the email with club in order to sign in',
      ]);
      const { rows } = await owner.query(
        'select provider from auth.identities where user_id = $1',
        [id],
      );
      expect(rows).toEqual([{ provider: 'email' }]);
    },
  );

  it('becomes the owner’s alone, when somebody had made it without proving the address', async () => {
    // The thief comes first, with a provider that vouches for nothing.
    const address = `${crypto.randomUUID()}@test.example`;
    const thief = await userOf(await arrive(person({ email: address, email_verified: false }).sub));
    expect(thief.email_confirmed_at).toBeUndefined();
    await owner.query(`update auth.users set encrypted_password = 'x' where id = $1`, [thief.id]);

    const { sub } = person({ email: address });
    const user = await userOf(await arrive(sub));
    expect(user.id).toBe(thief.id);
    expect(user.email_confirmed_at).toEqual(expect.any(String));
    expect(user.identities).toMatchObject([{ id: sub }]);
    const { rows } = await owner.query(
      `select encrypted_password, (select count(*)::int from auth.sessions where user_id = u.id) as sessions
       from auth.users u where id = $1`,
      [user.id],
    );
    expect(rows).toEqual([{ encrypted_password: null, sessions: 1 }]);
  });

  it('has to be confirmed by a mail, where addresses are confirmed', async () => {
    settings.email.enable_confirmations = true;
    try {
      const { sub, email } = person({ email_verified: false });
      expect(errorOf(await arrive(sub))).toEqual([
        'access_denied',
        'provider_email_needs_verification',
        'Unverified email with club. A confirmation email has been sent to your club email',
      ]);
      const { link } = await newestLetter(server.context.config.dataDir, email);
      expect(fragmentOf(await redirectOf(link)).type).toBe('signup');
      expect((await userOf(await arrive(sub))).email).toBe(email);
    } finally {
      settings.email.enable_confirmations = false;
    }
  });

  it('is nobody’s without an address', async () => {
    const { sub } = person({ email: undefined });
    expect(errorOf(await arrive(sub))[2]).toBe('Error getting user email from external provider');
  });

  it('is not made while sign-up is closed; known people still get in', async () => {
    const known = person();
    await arrive(known.sub);
    server.context.config.signupPolicy = 'closed';
    try {
      expect(errorOf(await arrive(person().sub))[1]).toBe('signup_disabled');
      expect((await userOf(await arrive(known.sub))).email).toBe(known.email);
      // An invited person has an account already.
      const { id, email } = await invited();
      expect((await userOf(await arrive(person({ email }).sub))).id).toBe(id);
    } finally {
      server.context.config.signupPolicy = 'open';
    }
  });

  it('stays closed to the banned', async () => {
    const { sub } = person();
    const { id } = await userOf(await arrive(sub));
    const admin = server.client(server.context.keys.serviceKey);
    await admin.auth.admin.updateUserById(id, { ban_duration: '1h' });
    expect(errorOf(await arrive(sub))[1]).toBe('user_banned');
    expect(errorOf(await browse(await button(pkceClient(server).client, sub), HOME))[1]).toBe(
      'user_banned',
    );
  });
});

async function invited(): Promise<{ id: string; email: string }> {
  const email = `${crypto.randomUUID()}@test.example`;
  const admin = server.client(server.context.keys.serviceKey);
  const { data } = await admin.auth.admin.inviteUserByEmail(email);
  return { id: data.user?.id ?? '', email };
}

describe('adding a provider to one’s own account', () => {
  const link = (client: SupabaseClient, sub: string) =>
    client.auth.linkIdentity({
      provider: 'club' as never,
      options: { redirectTo: HOME, skipBrowserRedirect: true, queryParams: { login_hint: sub } },
    });

  it('is off unless the setting allows it', async () => {
    const { client } = await server.signedUp();
    expect((await link(client, 'x')).error).toMatchObject({
      status: 404,
      code: 'manual_linking_disabled',
    });
  });

  it('works with any address, once for each identity, and can be undone', async () => {
    settings.enable_manual_linking = true;
    const { client, id, email } = await server.signedUp();
    const { sub } = person({ email_verified: false });
    const first = await link(client, sub);
    expect((await userOf(await browse(first.data?.url ?? '', HOME))).id).toBe(id);
    const user = (await client.auth.getUser()).data.user;
    expect(user?.email).toBe(email);
    expect(user?.identities?.map(({ provider }) => provider)).toEqual(['email', 'club']);

    const again = await link(client, sub);
    expect(errorOf(await browse(again.data?.url ?? '', HOME))).toEqual([
      undefined,
      'identity_already_exists',
      'Identity is already linked',
    ]);
    const other = await server.signedUp();
    const stolen = await link(other.client, sub);
    expect(errorOf(await browse(stolen.data?.url ?? '', HOME))[2]).toBe(
      'Identity is already linked to another user',
    );

    const own = user?.identities?.find(({ provider }) => provider === 'email');
    if (!own) throw new Error('No e-mail identity.');
    expect((await client.auth.unlinkIdentity(own)).error).toBeNull();
    // A way to sign in that was taken off is none any more.
    const password = await server.client().auth.signInWithPassword({ email, password: PASSWORD });
    expect(password.error?.code).toBe('invalid_credentials');
    expect(await actionsOf(id)).toEqual(
      expect.arrayContaining(['identity_linked', 'identity_unlinked']),
    );
  });
});
