import type { SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer();

async function signedIn(email: string, password = PASSWORD): Promise<SupabaseClient> {
  const client = server.client();
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return client;
}

/** The server's view of the client's token, bypassing the client's local checks. */
async function isAlive(client: SupabaseClient): Promise<boolean> {
  const { data } = await client.auth.getSession();
  const { data: answer } = await server.client().auth.getUser(data.session?.access_token);
  return answer.user !== null;
}

describe("updating one's own user", () => {
  it('merges metadata and removes keys set to null', async () => {
    const { client, id } = await server.signedUp('Musu Kollie');
    await client.auth.updateUser({ data: { nickname: 'Mu', post: { gate: 1 } } });
    const { data, error } = await client.auth.updateUser({ data: { nickname: null, tall: true } });
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toMatchObject({
      full_name: 'Musu Kollie',
      post: { gate: 1 },
      tall: true,
    });
    expect(data.user?.user_metadata).not.toHaveProperty('nickname');
    expect((await client.auth.getUser()).data.user).toMatchObject({
      id,
      user_metadata: data.user?.user_metadata,
    });
  });

  it('changes the password, keeps this session and ends the others', async () => {
    const { client, email } = await server.signedUp();
    const other = await signedIn(email);
    const { error } = await client.auth.updateUser({ password: 'another-horse-8' });
    expect(error).toBeNull();
    expect(await isAlive(client)).toBe(true);
    expect(await isAlive(other)).toBe(false);
    await expect(signedIn(email)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await isAlive(await signedIn(email, 'another-horse-8'))).toBe(true);
  });

  it.each([
    ['the same password', { password: PASSWORD }, 422, 'same_password'],
    ['a short password', { password: '12345' }, 422, 'weak_password'],
    ['a password over 72 bytes', { password: 'x'.repeat(73) }, 400, 'validation_failed'],
    ['a phone number', { phone: '231770123456' }, 400, 'phone_provider_disabled'],
  ])('rejects %s', async (_what, change, status, code) => {
    const { client } = await server.signedUp();
    expect((await client.auth.updateUser(change)).error).toMatchObject({ status, code });
  });

  it('limits metadata, alone and merged, and issues tokens with as much as fits', async () => {
    const text = (bytes: number): string => 'x'.repeat(bytes);
    const refused = { status: 422, code: 'validation_failed' };
    const huge = { note: text(900_000) };
    const signUp = await server.client().auth.signUp({
      email: `${crypto.randomUUID()}@test.example`,
      password: PASSWORD,
      options: { data: huge },
    });
    expect(signUp.error).toMatchObject({
      ...refused,
      message: 'data must not be larger than 16 KB',
    });

    const { client, id } = await server.signedUp();
    expect((await client.auth.updateUser({ data: huge })).error).toMatchObject(refused);
    expect((await client.auth.updateUser({ data: { a: text(15_000) } })).error).toBeNull();
    expect((await client.auth.updateUser({ data: { b: text(2_000) } })).error).toMatchObject({
      ...refused,
      message: 'user_metadata must not be larger than 16 KB',
    });
    await client.auth.refreshSession();
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await client.from('profiles').select('id').eq('id', id)).data).toEqual([{ id }]);
    expect((await client.auth.updateUser({ data: { a: null, b: text(2_000) } })).error).toBeNull();

    const { admin } = server.client(server.context.keys.serviceKey).auth;
    const email = `${crypto.randomUUID()}@test.example`;
    for (const change of [{ user_metadata: huge }, { app_metadata: huge }]) {
      expect((await admin.createUser({ email, ...change })).error).toMatchObject(refused);
      expect((await admin.updateUserById(id, change)).error).toMatchObject(refused);
    }
    const invitation = await admin.inviteUserByEmail(email, { data: huge });
    expect(invitation.error).toMatchObject(refused);
    const link = await admin.generateLink({ type: 'invite', email, options: { data: huge } });
    expect(link.error).toMatchObject(refused);
    const code = await server.client().auth.signInWithOtp({ email, options: { data: huge } });
    expect(code.error).toMatchObject(refused);
  });

  it('does not allow app_metadata to be written', async () => {
    const { client } = await server.signedUp();
    const { data } = await client.auth.getSession();
    const response = await fetch(`${server.url}/auth/v1/user`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${data.session?.access_token}` },
      body: JSON.stringify({ app_metadata: { role: 'admin' } }),
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error_code: 'not_admin' });
  });

  it('needs aal2 for a password change if the user has a second factor', async () => {
    const { client, id } = await server.signedUp();
    await server.database.owner.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
       values (gen_random_uuid(), $1, 'Phone', 'totp', 'verified', now(), now())`,
      [id],
    );
    const { error } = await client.auth.updateUser({ password: 'another-horse-8' });
    expect(error).toMatchObject({ status: 401, code: 'insufficient_aal' });
    const { data } = await client.auth.getUser();
    expect(data.user?.factors).toEqual([
      expect.objectContaining({ friendly_name: 'Phone', factor_type: 'totp', status: 'verified' }),
    ]);
    expect(JSON.stringify(data.user?.factors)).not.toContain('secret');
  });
});

describe('signing out', () => {
  it.each([
    ['global', [false, false]],
    ['local', [false, true]],
    ['others', [true, false]],
  ] as const)('with scope %s leaves own and other sessions %j', async (scope, expected) => {
    const { client, email } = await server.signedUp();
    const other = await signedIn(email);
    const { data } = await client.auth.getSession();
    const own = server.client();
    const { error } = await client.auth.signOut({ scope });
    expect(error).toBeNull();
    const ownAnswer = await own.auth.getUser(data.session?.access_token);
    expect([ownAnswer.data.user !== null, await isAlive(other)]).toEqual(expected);
    const refresh = await own.auth.refreshSession({
      refresh_token: data.session?.refresh_token ?? '',
    });
    expect(refresh.error === null).toBe(expected[0]);
  });

  it('rejects an unknown scope and keeps the session', async () => {
    const { client } = await server.signedUp();
    const { data } = await client.auth.getSession();
    const response = await fetch(`${server.url}/auth/v1/logout?scope=everyone`, {
      method: 'POST',
      headers: { authorization: `Bearer ${data.session?.access_token}` },
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { code: 400, error_code: 'validation_failed', msg: 'Unsupported logout scope "everyone"' },
    ]);
    expect(await isAlive(client)).toBe(true);
  });
});
