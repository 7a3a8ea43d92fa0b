import { describe, expect, it } from 'vitest';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer();
const { admin } = server.client(server.context.keys.serviceKey).auth;
const someone = (): string => `${crypto.randomUUID()}@test.example`;
const signIn = (email: string, password = PASSWORD) =>
  server.client().auth.signInWithPassword({ email, password });

describe('the admin API creates a user', () => {
  it('who can sign in right away, with metadata and without a session', async () => {
    const email = someone();
    const { data, error } = await admin.createUser({
      email,
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { full_name: 'Hawa Kromah' },
      app_metadata: { desk: 'north' },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email,
      user_metadata: { full_name: 'Hawa Kromah', email_verified: true },
      app_metadata: { desk: 'north', provider: 'email', providers: ['email'] },
    });
    expect((await signIn(email)).error).toBeNull();
  });

  it('with the given metadata, and stores the email as identity data', async () => {
    const email = someone();
    const user_metadata = { full_name: 'Hawa Kromah', desk: { north: true } };
    const { data } = await admin.createUser({ email, password: PASSWORD, user_metadata });
    expect(data.user?.user_metadata).toEqual(user_metadata);
    expect(data.user?.identities).toMatchObject([
      { provider: 'email', identity_data: { sub: data.user?.id, email, email_verified: false } },
    ]);
    const changed = await admin.updateUserById(data.user?.id ?? '', {
      user_metadata: { full_name: 'H. Kromah' },
    });
    expect(changed.data.user?.user_metadata).toEqual({ ...user_metadata, full_name: 'H. Kromah' });
    const link = await admin.generateLink({
      type: 'signup',
      email: someone(),
      password: PASSWORD,
      options: { data: user_metadata },
    });
    expect(link.data.user?.user_metadata).toEqual(user_metadata);
  });

  it('with a given id and bcrypt hash, and leaves the email unconfirmed by default', async () => {
    const id = crypto.randomUUID();
    const email = someone();
    const hash = await server.database.owner.query<{ hash: string }>(
      `select extensions.crypt($1, extensions.gen_salt('bf', 6)) as hash`,
      [PASSWORD],
    );
    const { data } = await admin.createUser({ id, email, password_hash: hash.rows[0]?.hash ?? '' });
    expect(data.user?.id).toBe(id);
    expect((await signIn(email)).error).toMatchObject({ code: 'email_not_confirmed' });
    await admin.updateUserById(id, { email_confirm: true });
    expect((await signIn(email)).error).toBeNull();
  });

  it.each([
    ['no email or phone', {}, 400, 'validation_failed'],
    ['an invalid id', { email: 'x@test.example', id: '7' }, 400, 'validation_failed'],
    [
      'a password and a password hash',
      { email: 'x@test.example', password: 'a', password_hash: 'b' },
      400,
      'validation_failed',
    ],
    [
      'an unsupported password hash',
      { email: 'x@test.example', password_hash: 'md5:1' },
      400,
      'validation_failed',
    ],
    ['a weak password', { email: 'x@test.example', password: 'abc' }, 422, 'weak_password'],
    ['an invalid phone number', { phone: 'call me' }, 400, 'validation_failed'],
    [
      'an invalid ban duration',
      { email: 'x@test.example', ban_duration: 'a while' },
      400,
      'validation_failed',
    ],
  ])('but rejects %s', async (_what, given, status, code) => {
    expect((await admin.createUser(given)).error).toMatchObject({ status, code });
  });

  it('but rejects an email or phone number that is taken', async () => {
    const { email } = await server.signedUp();
    expect((await admin.createUser({ email })).error).toMatchObject({
      status: 422,
      code: 'email_exists',
    });
    await admin.createUser({ phone: '+231770000001' });
    expect((await admin.createUser({ phone: '231770000001' })).error).toMatchObject({
      status: 422,
      code: 'phone_exists',
      message: 'Phone number already registered by another user',
    });
  });
});

describe('the admin API', () => {
  it('reads, updates and deletes a user', async () => {
    const { id, email } = await server.signedUp('Musu Kollie');
    expect((await admin.getUserById(id)).data.user).toMatchObject({ id, email });
    const newEmail = someone();
    const { data } = await admin.updateUserById(id, {
      email: newEmail,
      password: 'another-horse-8',
      user_metadata: { nickname: 'Mu' },
      app_metadata: { desk: 'south' },
    });
    expect(data.user).toMatchObject({
      email: newEmail,
      user_metadata: { full_name: 'Musu Kollie', nickname: 'Mu' },
      app_metadata: { desk: 'south', provider: 'email' },
    });
    expect((await signIn(newEmail, 'another-horse-8')).error).toBeNull();
    expect((await admin.deleteUser(id)).error).toBeNull();
    expect((await admin.getUserById(id)).error).toMatchObject({
      status: 404,
      code: 'user_not_found',
    });
    expect((await signIn(newEmail, 'another-horse-8')).error).toMatchObject({
      code: 'invalid_credentials',
    });
  });

  it('ends all sessions when it sets a password', async () => {
    const { client, id } = await server.signedUp();
    await admin.updateUserById(id, { password: 'another-horse-8' });
    expect((await client.auth.getUser()).data.user).toBeNull();
  });

  it('locks a user out at once with a ban, and lets them in when the ban is lifted', async () => {
    const { client, id, email } = await server.signedUp();
    await admin.updateUserById(id, { ban_duration: '1h30m' });
    expect((await client.auth.getUser()).error).toMatchObject({ code: 'user_banned' });
    expect((await signIn(email)).error).toMatchObject({ status: 400, code: 'user_banned' });
    await admin.updateUserById(id, { ban_duration: 'none' });
    expect((await client.auth.getUser()).data.user?.id).toBe(id);
  });

  it('soft-deletes a user: the row stays, personal data goes, the email can be reused', async () => {
    const { id, email } = await server.signedUp('Musu Kollie');
    await admin.deleteUser(id, true);
    const { data } = await admin.getUserById(id);
    expect(data.user?.deleted_at).toBeTruthy();
    expect(JSON.stringify(data.user)).not.toContain(email);
    expect(JSON.stringify(data.user)).not.toContain('Musu');
    expect((await signIn(email)).error).toMatchObject({ code: 'invalid_credentials' });
    const again = await server.client().auth.signUp({ email, password: PASSWORD });
    expect(again.error).toBeNull();
  });

  it('removes a lost second factor', async () => {
    const { id } = await server.signedUp();
    const factor = await server.database.owner.query<{ id: string }>(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at, secret)
       values (gen_random_uuid(), $1, 'totp', 'verified', now(), now(), 'topsecret') returning id`,
      [id],
    );
    const factorId = factor.rows[0]?.id ?? '';
    const listed = await admin.mfa.listFactors({ userId: id });
    expect(listed.data?.factors).toEqual([expect.objectContaining({ id: factorId })]);
    expect(JSON.stringify(listed.data)).not.toContain('topsecret');
    expect((await admin.mfa.deleteFactor({ userId: id, id: factorId })).error).toBeNull();
    expect((await admin.mfa.deleteFactor({ userId: id, id: factorId })).error).toMatchObject({
      status: 404,
      code: 'mfa_factor_not_found',
    });
  });

  it('reports when a trigger of the app blocks the deletion of a user', async () => {
    const { id } = await server.signedUp();
    await server.database.owner.query(`
      create function public.keep() returns trigger language plpgsql as $$ begin
        if old.id = '${id}' then raise 'One user must remain'; end if;
        return old;
      end $$;
      create trigger keep before delete on auth.users for each row execute function public.keep();
    `);
    expect((await admin.deleteUser(id)).error).toMatchObject({
      status: 422,
      message: expect.stringContaining('One user must remain'),
    });
  });

  it('answers 404 for a malformed or unknown user id', async () => {
    const call = (id: string) =>
      fetch(`${server.url}/auth/v1/admin/users/${id}`, {
        headers: { authorization: `Bearer ${server.context.keys.serviceKey}` },
      });
    const bad = await call('root');
    expect([bad.status, await bad.json()]).toMatchObject([
      404,
      { error_code: 'validation_failed', msg: 'user_id must be an UUID' },
    ]);
    expect((await call(crypto.randomUUID())).status).toBe(404);
  });
});

describe('the admin user list', () => {
  it('is paginated, newest first, with the total', async () => {
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) made.unshift((await server.signedUp()).id);
    const first = await admin.listUsers({ page: 1, perPage: 2 });
    expect(first.data.users.map((user) => user.id)).toEqual(made.slice(0, 2));
    expect(first.data).toMatchObject({ nextPage: 2 });
    const total = 'total' in first.data ? first.data.total : 0;
    const { rows } = await server.database.owner.query('select from auth.users');
    expect(total).toBe(rows.length);
    const last = await admin.listUsers({ page: Math.ceil(total / 2), perPage: 2 });
    expect(last.data).toMatchObject({ nextPage: null });
  });

  it('rejects an invalid page number', async () => {
    const response = await fetch(`${server.url}/auth/v1/admin/users?page=-1`, {
      headers: { authorization: `Bearer ${server.context.keys.serviceKey}` },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      msg: expect.stringMatching(/^Bad Pagination Parameters: /),
    });
  });
});

describe('a caller without the service key', () => {
  it('is refused by every admin endpoint, and nothing changes', async () => {
    const victim = await server.signedUp();
    const { client } = await server.signedUp();
    const { data } = await client.auth.getSession();
    const calls: [string, string][] = [
      ['POST', '/admin/users'],
      ['GET', '/admin/users'],
      ['GET', `/admin/users/${victim.id}`],
      ['PUT', `/admin/users/${victim.id}`],
      ['DELETE', `/admin/users/${victim.id}`],
      ['GET', `/admin/users/${victim.id}/factors`],
      ['DELETE', `/admin/users/${victim.id}/factors/${victim.id}`],
    ];
    for (const token of [data.session?.access_token ?? '', server.context.keys.anonKey]) {
      for (const [method, path] of calls) {
        const response = await fetch(`${server.url}/auth/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${token}` },
          ...(method === 'GET' ? {} : { body: '{"email":"x@test.example","role":"service_role"}' }),
        });
        expect(response.status, `${method} ${path}`).toBe(403);
        expect(await response.json()).toMatchObject({ error_code: 'not_admin' });
      }
    }
    expect((await admin.getUserById(victim.id)).data.user).toMatchObject({
      email: victim.email,
      role: 'authenticated',
    });
  });
});
