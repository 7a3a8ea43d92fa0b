// TOTP factors, with a clock that the test controls.
import type { SupabaseClient } from '@supabase/supabase-js';
import { generate } from 'otplib';
import { describe, expect, it } from 'vitest';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer({ LOG_LEVEL: 'fatal' });

/** A TOTP code works once: move the clock 30 s past the last used code. */
let seconds = 0;
server.context.now = () => new Date(Date.now() + seconds * 1000);
const codeNow = async (secret: string): Promise<string> => {
  seconds += 30;
  const epoch = Math.floor(server.context.now().getTime() / 1000);
  return generate({ secret, epoch });
};

interface Device {
  client: SupabaseClient;
  email: string;
  factorId: string;
  secret: string;
}

/** A user with a verified factor, on the device that enrolled it. */
async function secured(): Promise<Device> {
  const { client, email } = await server.signedUp();
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
  if (data?.type !== 'totp') throw new Error('No factor.');
  const { secret } = data.totp;
  const { error } = await client.auth.mfa.challengeAndVerify({
    factorId: data.id,
    code: await codeNow(secret),
  });
  if (error) throw error;
  return { client, email, factorId: data.id, secret };
}

async function signIn(email: string): Promise<SupabaseClient> {
  const client = server.client();
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return client;
}

const levelOf = async (client: SupabaseClient) => {
  const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
  return [data?.currentLevel, data?.nextLevel];
};

describe('enrolling an authenticator app', () => {
  it('returns a QR code and the secret, and the first code raises the session to aal2', async () => {
    const { client, email } = await server.signedUp();
    const other = await signIn(email);
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
    if (data?.type !== 'totp') throw new Error('No factor.');
    expect(data.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#%]*<\/svg>$/);
    expect(data.totp.uri).toContain(`otpauth://totp/Example:${encodeURIComponent(email)}?`);
    expect(data.totp.uri).toContain(`secret=${data.totp.secret}`);
    expect(await levelOf(client)).toEqual(['aal1', 'aal1']);

    const code = await codeNow(data.totp.secret);
    const verified = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code });
    expect(verified.error).toBeNull();
    expect(await levelOf(client)).toEqual(['aal2', 'aal2']);
    const { data: claims } = await client.auth.getClaims();
    expect(claims?.claims.amr).toMatchObject([{ method: 'totp' }, { method: 'password' }]);
    expect((await client.auth.getUser()).data.user?.factors).toMatchObject([
      { id: data.id, status: 'verified', friendly_name: 'Phone' },
    ]);
    // The password alone is no longer enough.
    expect((await other.auth.getUser()).data.user).toBeNull();
    // The raised session can be refreshed.
    const refreshed = await client.auth.refreshSession();
    expect(refreshed.error).toBeNull();
    expect(await levelOf(client)).toEqual(['aal2', 'aal2']);
  });

  it('rejects a duplicate name and invalid factor types', async () => {
    const { client } = await server.signedUp();
    const enroll = () => client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
    await enroll();
    expect((await enroll()).error).toMatchObject({ status: 422, code: 'mfa_factor_name_conflict' });
    const phone = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+231770123456' });
    expect(phone.error).toMatchObject({ status: 422, code: 'mfa_phone_enroll_not_enabled' });
  });

  it('is limited to ten factors', async () => {
    const { client } = await server.signedUp();
    const enroll = (friendlyName: string) =>
      client.auth.mfa.enroll({ factorType: 'totp', friendlyName });
    for (let n = 1; n <= 10; n += 1) expect((await enroll(`Phone ${n}`)).error).toBeNull();
    expect((await enroll('Phone 11')).error).toMatchObject({
      status: 422,
      code: 'too_many_enrolled_mfa_factors',
    });
  });
});

describe('the second step of a sign-in', () => {
  it("is required after the password, and the account can't be changed before it", async () => {
    const { email, factorId, secret } = await secured();
    const client = await signIn(email);
    expect(await levelOf(client)).toEqual(['aal1', 'aal2']);
    const enroll = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Mine' });
    expect(enroll.error).toMatchObject({ status: 403, code: 'insufficient_aal' });
    const unenroll = await client.auth.mfa.unenroll({ factorId });
    expect(unenroll.error).toMatchObject({ status: 422, code: 'insufficient_aal' });
    const password = await client.auth.updateUser({ password: 'another-horse-8' });
    expect(password.error).toMatchObject({ status: 401, code: 'insufficient_aal' });

    const code = await codeNow(secret);
    await client.auth.mfa.challengeAndVerify({ factorId, code });
    expect(await levelOf(client)).toEqual(['aal2', 'aal2']);
    expect((await client.auth.updateUser({ password: 'another-horse-8' })).error).toBeNull();
  });

  it('accepts each code once, even concurrently, and no code from an earlier time step', async () => {
    const { email, factorId, secret } = await secured();
    const code = await codeNow(secret);
    const clients = await Promise.all(Array.from({ length: 4 }, () => signIn(email)));
    const results = await Promise.all(
      clients.map((client) => client.auth.mfa.challengeAndVerify({ factorId, code })),
    );
    expect(results.filter(({ error }) => error === null)).toHaveLength(1);
    const late = await (await signIn(email)).auth.mfa.challengeAndVerify({ factorId, code });
    expect(late.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
  });

  it.each([
    ['wrong', '000000', 422, 'mfa_verification_failed'],
    ['no digits', 'abcdef', 422, 'mfa_verification_failed'],
    ['empty', '', 400, 'validation_failed'],
    ['100 kB', '1'.repeat(100_000), 422, 'mfa_verification_failed'],
  ])('rejects a code that is %s', async (_what, code, status, errorCode) => {
    const { client, factorId } = await secured();
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code });
    expect(error).toMatchObject({ status, code: errorCode });
  });

  it("can't be guessed: after ten wrong codes even the right one is rejected", async () => {
    const { client, factorId, secret } = await secured();
    const attempt = (code: string) => client.auth.mfa.challengeAndVerify({ factorId, code });
    for (let n = 1; n <= 10; n += 1) expect((await attempt('00000a')).error?.status).toBe(422);
    expect((await attempt(await codeNow(secret))).error).toMatchObject({ status: 429 });
  });

  it('rejects a challenge that is used, expired, unknown or for another factor', async () => {
    const { client, factorId, secret } = await secured();
    const other = await secured();
    const challenge = async (device: SupabaseClient, id: string): Promise<string> =>
      (await device.auth.mfa.challenge({ factorId: id })).data?.id ?? '';
    const verify = async (challengeId: string, given?: string) =>
      client.auth.mfa.verify({ factorId, challengeId, code: given ?? (await codeNow(secret)) });

    const answered = await challenge(client, factorId);
    expect((await verify(answered)).error).toBeNull();
    expect((await verify(answered)).error).toMatchObject({ code: 'mfa_ip_address_mismatch' });
    const old = await challenge(client, factorId);
    seconds += 301;
    expect((await verify(old)).error).toMatchObject({ status: 422, code: 'mfa_challenge_expired' });
    for (const id of [crypto.randomUUID(), await challenge(other.client, other.factorId)]) {
      expect((await verify(id)).error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' });
    }
  });
});

describe('a factor', () => {
  it('of another user looks the same as a missing one', async () => {
    const { factorId } = await secured();
    const { client } = await server.signedUp();
    const calls = [
      await client.auth.mfa.challenge({ factorId }),
      await client.auth.mfa.unenroll({ factorId }),
      await client.auth.mfa.challenge({ factorId: crypto.randomUUID() }),
    ];
    for (const { error } of calls) {
      expect(error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' });
    }
  });

  it('takes the session back to aal1 when it is removed', async () => {
    const { client, factorId } = await secured();
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    await client.auth.refreshSession();
    expect(await levelOf(client)).toEqual(['aal1', 'aal1']);
  });
});

it('is still required before a temporary password is replaced, and is then removed', async () => {
  const { email, factorId, secret, client } = await secured();
  const { data } = await client.auth.getUser();
  const { admin } = server.client(server.context.keys.serviceKey).auth;
  await admin.updateUserById(data.user?.id ?? '', {
    password: 'temporary-horse-1',
    app_metadata: { must_change_password: true },
  });
  const owner = server.client();
  await owner.auth.signInWithPassword({ email, password: 'temporary-horse-1' });
  const change = () => owner.auth.updateUser({ password: 'own-battery-2' });
  expect((await change()).error).toMatchObject({ code: 'insufficient_aal' });
  const shown = await owner.auth.mfa.challengeAndVerify({ factorId, code: await codeNow(secret) });
  expect(shown.error).toBeNull();
  expect((await change()).error).toBeNull();
  expect((await owner.auth.getUser()).data.user?.factors ?? []).toEqual([]);
  await owner.auth.refreshSession();
  expect(await levelOf(owner)).toEqual(['aal1', 'aal1']);
});
