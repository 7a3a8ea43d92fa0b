import { describe, expect, it } from 'vitest';
import { projectWith } from '#tests/support/project.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer();
const closed = await testServer({ PROJECT_DIR: await projectWith({ enable_signup: 'false' }) });
const someone = (): string => `${crypto.randomUUID()}@test.example`;

describe('sign-up', () => {
  it('returns a session right away and creates a profile with the full name', async () => {
    const client = server.client();
    const email = `New.${someone()}`;
    const { data, error } = await client.auth.signUp({
      email,
      password: PASSWORD,
      options: { data: { full_name: 'Musu Kollie' } },
    });
    expect(error).toBeNull();
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(data.session?.refresh_token).toMatch(/^[a-z2-7]{24}$/);
    const expiry = (data.session?.expires_at ?? 0) - Date.now() / 1000;
    expect(expiry).toBeGreaterThan(3500);
    const user = data.user;
    expect(user).toMatchObject({
      aud: 'authenticated',
      role: 'authenticated',
      email: email.toLowerCase(),
      phone: '',
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { full_name: 'Musu Kollie', email_verified: true },
    });
    for (const time of [user?.created_at, user?.email_confirmed_at, user?.last_sign_in_at]) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    }
    expect(user?.identities).toEqual([
      expect.objectContaining({
        id: user?.id,
        user_id: user?.id,
        provider: 'email',
        email: email.toLowerCase(),
        identity_data: expect.objectContaining({ sub: user?.id, full_name: 'Musu Kollie' }),
      }),
    ]);
    const profile = await server.database.owner.query(
      'select full_name, email from public.profiles where id = $1',
      [user?.id],
    );
    expect(profile.rows).toEqual([{ full_name: 'Musu Kollie', email: email.toLowerCase() }]);
  });

  it('issues an access token with the claims that every service needs', async () => {
    const { client, id, email } = await server.signedUp('Musu Kollie');
    const { data } = await client.auth.getClaims();
    expect(data?.header).toMatchObject({ alg: 'ES256', typ: 'JWT', kid: expect.any(String) });
    expect(data?.claims).toMatchObject({
      iss: `${server.url}/auth/v1`,
      sub: id,
      aud: 'authenticated',
      role: 'authenticated',
      email,
      phone: '',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      is_anonymous: false,
      user_metadata: { full_name: 'Musu Kollie' },
    });
  });

  it('rejects an email that is taken, whatever its case', async () => {
    const { email } = await server.signedUp();
    const { error } = await server
      .client()
      .auth.signUp({ email: email.toUpperCase(), password: PASSWORD });
    expect(error).toMatchObject({
      status: 422,
      code: 'user_already_exists',
      message: 'User already registered',
    });
  });

  it('lets exactly one of many concurrent requests take an email', async () => {
    const email = someone();
    const results = await Promise.all(
      Array.from({ length: 6 }, () => server.client().auth.signUp({ email, password: PASSWORD })),
    );
    expect(results.filter(({ error }) => error === null)).toHaveLength(1);
    for (const { error } of results.filter((result) => result.error !== null)) {
      expect(error).toMatchObject({ status: 422, code: 'user_already_exists' });
    }
    const { rows } = await server.database.owner.query(
      'select u.id from auth.users u join auth.identities i on i.user_id = u.id where u.email = $1',
      [email],
    );
    expect(rows).toHaveLength(1);
  });

  it.each([
    [
      'a short password',
      { password: '12345' },
      422,
      'weak_password',
      'Password should be at least 6 characters.',
    ],
    [
      'a password over 72 bytes',
      { password: 'é'.repeat(37) },
      400,
      'validation_failed',
      'Password cannot be longer than 72 characters',
    ],
    ['no password', { password: '' }, 400, 'validation_failed', 'Signup requires a valid password'],
    [
      'a malformed email',
      { email: 'not an address' },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      'a malformed email with a common password',
      { email: 'a', password: '123456' },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      'a common password',
      { password: '123456' },
      422,
      'weak_password',
      'Password is known to be weak and easy to guess, please choose a different one.',
    ],
    [
      'look-alike letters in the email',
      { email: 'аdmin@test.example' },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      'a line break in the email',
      { email: 'a@test.example\nBcc: b@test.example' },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
  ])('rejects %s', async (_what, given, status, code, message) => {
    const { error } = await server
      .client()
      .auth.signUp({ email: someone(), password: PASSWORD, ...given });
    expect(error).toMatchObject({ status, code, message });
  });

  it('rejects anonymous and phone sign-ups when they are disabled', async () => {
    const anonymous = await server.client().auth.signInAnonymously();
    expect(anonymous.error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' });
    const phone = await server.client().auth.signUp({ phone: '231770123456', password: PASSWORD });
    expect(phone.error).toMatchObject({ status: 400, code: 'phone_provider_disabled' });
  });

  it('returns a 4xx when a trigger of the app rejects the user, and stores nothing', async () => {
    await server.database.owner.query(`
      create function public.no_robots() returns trigger language plpgsql as $$ begin
        if new.raw_user_meta_data ->> 'full_name' = 'Robot' then raise 'No robots'; end if;
        return new;
      end $$;
      create trigger no_robots after insert on auth.users for each row execute function public.no_robots();
    `);
    const email = someone();
    const { error } = await server
      .client()
      .auth.signUp({ email, password: PASSWORD, options: { data: { full_name: 'Robot' } } });
    expect(error).toMatchObject({ status: 422, message: 'Database error saving user: No robots' });
    const { rows } = await server.database.owner.query(
      'select id from auth.users where email = $1',
      [email],
    );
    expect(rows).toEqual([]);
  });
});

describe('a project with sign-up disabled', () => {
  it('rejects sign-ups and reports it in its settings', async () => {
    const { error } = await closed.client().auth.signUp({ email: someone(), password: PASSWORD });
    expect(error).toMatchObject({
      status: 422,
      code: 'signup_disabled',
      message: 'Signups not allowed for this instance',
    });
    const settings = await fetch(`${closed.url}/auth/v1/settings`);
    expect(await settings.json()).toMatchObject({
      disable_signup: true,
      external: { email: true, phone: false, google: false },
    });
  });
});
