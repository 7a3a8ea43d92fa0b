import { describe, expect, it } from 'vitest';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer();
const { owner } = server.database;

async function trailOf(userId: string): Promise<string[]> {
  const { rows } = await owner.query<{ action: string }>(
    `select payload ->> 'action' as action from auth.audit_log_entries
     where payload ->> 'actor_id' = $1 order by created_at`,
    [userId],
  );
  return rows.map((row) => row.action);
}

describe('signing in with a password', () => {
  it('returns a session, whatever the case of the email', async () => {
    const { id, email } = await server.signedUp('Musu Kollie');
    const { data, error } = await server
      .client()
      .auth.signInWithPassword({ email: email.toUpperCase(), password: PASSWORD });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id, email });
    expect(data.session?.refresh_token).toBeTruthy();
    expect(await trailOf(id)).toEqual(['user_signedup', 'login', 'login']);
  });

  it('gets the same response for a wrong password and an unknown account', async () => {
    const { id, email } = await server.signedUp();
    const wrong = await server.client().auth.signInWithPassword({ email, password: 'wrong-one' });
    const unknown = await server
      .client()
      .auth.signInWithPassword({ email: 'nobody@test.example', password: 'wrong-one' });
    for (const { data, error } of [wrong, unknown]) {
      expect(data.session).toBeNull();
      expect(error).toMatchObject({
        status: 400,
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
      });
    }
    expect(await trailOf(id)).toEqual(['user_signedup', 'login', 'login_failed']);
  });

  it('compares whole passwords, not only their first 72 bytes, and rejects one of 100 kB', async () => {
    const client = server.client();
    const email = `${crypto.randomUUID()}@test.example`;
    const password = 'x'.repeat(72);
    await client.auth.signUp({ email, password });
    for (const longer of [`${password}y`, 'x'.repeat(100_000)]) {
      const { error } = await client.auth.signInWithPassword({ email, password: longer });
      expect(error).toMatchObject({ code: 'invalid_credentials' });
    }
    expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
  });

  it.each([
    [
      'both an email and a phone number',
      { email: 'a@test.example', phone: '231770' },
      400,
      'Only an email address or phone number should be provided on login.',
    ],
    ['neither', {}, 400, 'missing email or phone'],
    ['a phone number', { phone: '231770123456' }, 422, 'Phone logins are disabled'],
  ])('rejects %s', async (_what, names, status, msg) => {
    const response = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: server.context.keys.anonKey },
      body: JSON.stringify({ ...names, password: PASSWORD }),
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code: status, msg });
  });

  it('reports a banned or unconfirmed account only after the right password', async () => {
    const { id, email } = await server.signedUp();
    const attempt = (password: string) =>
      server.client().auth.signInWithPassword({ email, password });
    await owner.query('update auth.users set email_confirmed_at = null where id = $1', [id]);
    expect((await attempt(PASSWORD)).error).toMatchObject({
      status: 400,
      code: 'email_not_confirmed',
      message: 'Email not confirmed',
    });
    await owner.query(
      `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
      [id],
    );
    expect((await attempt(PASSWORD)).error).toMatchObject({ status: 400, code: 'user_banned' });
    expect((await attempt('wrong-one')).error).toMatchObject({ code: 'invalid_credentials' });
  });

  it('returns a warning if the password has become weak', async () => {
    const { id, email } = await server.signedUp();
    await owner.query(
      `update auth.users set encrypted_password = extensions.crypt('abc', extensions.gen_salt('bf', 4)) where id = $1`,
      [id],
    );
    const { data, error } = await server
      .client()
      .auth.signInWithPassword({ email, password: 'abc' });
    expect(error).toBeNull();
    expect(data.weakPassword).toMatchObject({ reasons: ['length'] });
  });

  it('never writes a password, a token or a hash into the audit log', async () => {
    const { client } = await server.signedUp();
    const { data } = await client.auth.getSession();
    await client.auth.signOut();
    const { rows } = await owner.query<{ payload: string }>(
      'select payload::text from auth.audit_log_entries',
    );
    const trail = rows.map((row) => row.payload).join('\n');
    expect(trail).toContain('logout');
    for (const secret of [
      PASSWORD,
      data.session?.refresh_token,
      data.session?.access_token,
      '$2b$',
    ]) {
      expect(trail).not.toContain(secret);
    }
  });
});

describe('the JWKS', () => {
  it('holds public keys only and verifies a token without a request to the server', async () => {
    const response = await fetch(`${server.url}/auth/v1/.well-known/jwks.json`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=600');
    const jwks = (await response.json()) as { keys: Record<string, unknown>[] };
    expect(jwks.keys).toEqual([expect.objectContaining({ kty: 'EC', alg: 'ES256', use: 'sig' })]);
    expect(jwks.keys[0]).not.toHaveProperty('d');
    const known = await fetch(`${server.url}/auth/v1/.well-known/openid-configuration`);
    expect(await known.json()).toMatchObject({
      issuer: `${server.url}/auth/v1`,
      jwks_uri: response.url,
      id_token_signing_alg_values_supported: ['ES256'],
    });

    const { client, id } = await server.signedUp();
    const { data } = await client.auth.getSession();
    await client.auth.signOut({ scope: 'global' });
    // The session is deleted, so only local verification can still read the claims.
    const claims = await client.auth.getClaims(data.session?.access_token);
    expect(claims.data?.claims.sub).toBe(id);
  });
});
