import { describe, expect, it, onTestFinished } from 'vitest';
import { projectWith } from '#tests/support/project.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer();
const brief = await testServer({
  PROJECT_DIR: await projectWith(
    {},
    '[auth.sessions]\ntimebox = "8h"\ninactivity_timeout = "1h30m"\nsingle_per_user = true\n[auth.mfa.totp]\nenroll_enabled = false',
  ),
});

async function call(method: string, path: string, body?: object): Promise<unknown[]> {
  const response = await fetch(`${server.url}/auth/v1${path}`, {
    method,
    headers: { 'x-supabase-api-version': '2024-01-01' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as { code?: string; message?: string };
  return [response.status, answer.code, answer.message];
}

describe("a disabled feature gets GoTrue's error:", () => {
  it.each<[string, string, object | undefined, number, string, string]>([
    [
      'GET',
      '/authorize?provider=google',
      undefined,
      400,
      'validation_failed',
      'Unsupported provider: provider is not enabled',
    ],
    [
      'GET',
      '/authorize?provider=nobody',
      undefined,
      400,
      'validation_failed',
      'Unsupported provider: Provider nobody could not be found',
    ],
    [
      'POST',
      '/sso',
      { domain: 'test.example' },
      404,
      'saml_provider_disabled',
      'SAML 2.0 is disabled',
    ],
    [
      'POST',
      '/token?grant_type=web3',
      { chain: 'solana' },
      422,
      'web3_provider_disabled',
      'Solana Web3 provider is disabled',
    ],
    [
      'POST',
      '/token?grant_type=web3',
      { chain: '__proto__' },
      400,
      'web3_unsupported_chain',
      'Unsupported chain',
    ],
    [
      'POST',
      '/token?grant_type=id_token',
      { id_token: 'eyJhbGciOiJub25lIn0.e30.', provider: 'google' },
      400,
      'provider_disabled',
      'Provider (issuer "https://accounts.google.com") is not enabled',
    ],
  ])('%s %s %j', async (method, path, body, status, code, message) => {
    expect(await call(method, path, body)).toEqual([status, code, message]);
  });

  it('manual linking', async () => {
    const { client } = await server.signedUp();
    const { error } = await client.auth.linkIdentity({ provider: 'google' });
    expect(error).toMatchObject({ status: 404, code: 'manual_linking_disabled' });
  });

  it('TOTP enrolment', async () => {
    const { client } = await brief.signedUp();
    const { error } = await client.auth.mfa.enroll({ factorType: 'totp' });
    expect(error).toMatchObject({ status: 422, code: 'mfa_totp_enroll_not_enabled' });
  });
});

describe('identities', () => {
  it('can be unlinked, except the last one', async () => {
    const { client, id } = await server.signedUp();
    const { owner } = server.database;
    await owner.query(
      `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
       values ('7', $1, '{"sub": "7"}', 'google', now(), now())`,
      [id],
    );
    const linked = await client.auth.getUserIdentities();
    const google = linked.data?.identities.find(({ provider }) => provider === 'google');
    const email = linked.data?.identities.find(({ provider }) => provider === 'email');
    if (!google || !email) throw new Error('Two identities expected.');
    const { auth } = server.context.settings;
    expect((await client.auth.unlinkIdentity(google)).error).toMatchObject({
      status: 404,
      code: 'manual_linking_disabled',
      message: 'Manual linking is disabled',
    });
    auth.enable_manual_linking = true;
    onTestFinished(() => {
      auth.enable_manual_linking = false;
    });
    expect((await client.auth.unlinkIdentity(google)).error).toBeNull();
    expect((await client.auth.getUser()).data.user?.app_metadata).toEqual({
      provider: 'email',
      providers: ['email'],
    });
    expect((await client.auth.unlinkIdentity(email)).error).toMatchObject({
      status: 422,
      code: 'single_identity_not_deletable',
    });
  });
});

describe('a session', () => {
  it.each([
    ['its lifetime is over', 'created_at', '8 hours 1 minute'],
    ['it was inactive for too long', 'created_at', '91 minutes'],
  ])('ends when %s', async (_what, column, time) => {
    const { client, id } = await brief.signedUp();
    expect((await client.auth.getUser()).data.user?.id).toBe(id);
    await brief.database.owner.query(
      `update auth.sessions set ${column} = ${column} - $2::interval where user_id = $1`,
      [id, time],
    );
    expect((await client.auth.getUser()).error).toMatchObject({
      status: 403,
      code: 'session_expired',
    });
    expect((await client.auth.refreshSession()).error).toMatchObject({
      status: 400,
      code: 'session_expired',
    });
  });

  it('stays valid while it is used', async () => {
    const { client, id } = await brief.signedUp();
    await brief.database.owner.query(
      `update auth.sessions set created_at = created_at - interval '80 minutes' where user_id = $1`,
      [id],
    );
    expect((await client.auth.refreshSession()).error).toBeNull();
    await brief.database.owner.query(
      `update auth.sessions set created_at = created_at - interval '80 minutes' where user_id = $1`,
      [id],
    );
    expect((await client.auth.getUser()).data.user?.id).toBe(id);
  });

  it("ends at the user's next sign-in if only one session per user is allowed", async () => {
    const other = await brief.signedUp();
    const { client, email, id } = await brief.signedUp();
    const { data } = await client.auth.getSession();
    const next = brief.client();
    await next.auth.signInWithPassword({ email, password: PASSWORD });
    expect((await client.auth.getUser()).error).toMatchObject({
      status: 403,
      code: 'session_expired',
    });
    const refreshToken = data.session?.refresh_token ?? '';
    expect(
      (await brief.client().auth.refreshSession({ refresh_token: refreshToken })).error,
    ).toMatchObject({
      status: 400,
      code: 'session_expired',
      message: 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)',
    });
    expect((await next.auth.refreshSession()).error).toBeNull();
    expect((await next.auth.getUser()).data.user?.id).toBe(id);
    expect((await other.client.auth.getUser()).data.user?.id).toBe(other.id);
  });
});
