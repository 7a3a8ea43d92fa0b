// The second factor: codes of an authenticator app, with a clock that the test holds.
import type { SupabaseClient } from '@supabase/supabase-js';
import { generate } from 'otplib';
import { describe, expect, it } from 'vitest';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer({ LOG_LEVEL: 'fatal' });

/** Every code of an authenticator app is thirty seconds away from the last one that was used. */
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

/** Somebody with a verified factor, on the device that they set it up with. */
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

describe('setting up an authenticator app', () => {
  it('shows a picture and the secret behind it, and raises the session with the first code', async () => {
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
    // Whoever holds the password only is out.
    expect((await other.auth.getUser()).data.user).toBeNull();
    // The raised session goes on.
    const refreshed = await client.auth.refreshSession();
    expect(refreshed.error).toBeNull();
    expect(await levelOf(client)).toEqual(['aal2', 'aal2']);
  });

  it('refuses a name twice, and types that are off', async () => {
    const { client } = await server.signedUp();
    const enroll = () => client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
    await enroll();
    expect((await enroll()).error).toMatchObject({ status: 422, code: 'mfa_factor_name_conflict' });
    const phone = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+231770123456' });
    expect(phone.error).toMatchObject({ status: 422, code: 'mfa_phone_enroll_not_enabled' });
  });

  it('stops at ten', async () => {
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

describe('the second step', () => {
  it('is asked for after the password, and nothing about the account changes before it', async () => {
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

  it('takes each code once, even from many at once, and none from before it', async () => {
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
  ])('refuses a code that is %s', async (_what, code, status, errorCode) => {
    const { client, factorId } = await secured();
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code });
    expect(error).toMatchObject({ status, code: errorCode });
  });

  it('cannot be guessed: after ten wrong codes the right one is refused too', async () => {
    const { client, factorId, secret } = await secured();
    const attempt = (code: string) => client.auth.mfa.challengeAndVerify({ factorId, code });
    for (let n = 1; n <= 10; n += 1) expect((await attempt('00000a')).error?.status).toBe(422);
    expect((await attempt(await codeNow(secret))).error).toMatchObject({ status: 429 });
  });

  it("refuses an answered, an old, an unknown and another factor's challenge", async () => {
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
  it('is as unknown to others as none', async () => {
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

  it('that is removed takes the session back to one proof', async () => {
    const { client, factorId } = await secured();
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    await client.auth.refreshSession();
    expect(await levelOf(client)).toEqual(['aal1', 'aal1']);
  });
});

it('is still asked for before a temporary password is replaced, and goes with it', async () => {
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
