import { describe, expect, it } from 'vitest';
import { projectWith } from '#tests/support/project.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';
import { smsGateway } from '#tests/support/sms-gateway.ts';

const gateway = await smsGateway();
const PHONES = `[auth.sms]
enable_signup = true
enable_confirmations = true
max_frequency = "0s"
template = "{{ .Code }} is your Example code"
[auth.sms.test_otp]
231770999999 = "123456"
[auth.mfa.phone]
enroll_enabled = true
verify_enabled = true
`;
const server = await testServer({ PROJECT_DIR: await projectWith({}, PHONES + gateway.config) });
/** The same without an SMS provider. */
const mute = await testServer({ PROJECT_DIR: await projectWith({}, PHONES) });

let last = 0;
const newPhone = (): string => {
  last += 1;
  return `+23177010${String(last).padStart(4, '0')}`;
};

async function phoneUser() {
  const phone = newPhone();
  const client = server.client();
  await client.auth.signUp({ phone, password: PASSWORD });
  const { code } = await gateway.messages.next();
  const { data, error } = await client.auth.verifyOtp({ phone, token: code, type: 'sms' });
  if (error) throw error;
  return { client, phone, id: data.user?.id ?? '' };
}

describe('a phone number', () => {
  it('signs up, is confirmed by a code, and signs in with the password', async () => {
    const phone = newPhone();
    const client = server.client();
    const signedUp = await client.auth.signUp({ phone, password: PASSWORD });
    expect(signedUp.error).toBeNull();
    expect(signedUp.data.session).toBeNull();
    const sms = await gateway.messages.next();
    expect(sms).toMatchObject({
      phone: phone.slice(1),
      text: `${sms.code} is your Example code`,
      isSigned: true,
    });
    const early = await server.client().auth.signInWithPassword({ phone, password: PASSWORD });
    expect(early.error).toMatchObject({ status: 400, code: 'phone_not_confirmed' });
    const wrong = await client.auth.verifyOtp({ phone, token: '00000a', type: 'sms' });
    expect(wrong.error).toMatchObject({ status: 403, code: 'otp_expired' });

    const verified = await client.auth.verifyOtp({ phone, token: sms.code, type: 'sms' });
    expect(verified.data.user).toMatchObject({
      phone: phone.slice(1),
      phone_confirmed_at: expect.any(String),
      app_metadata: { provider: 'phone', providers: ['phone'] },
    });
    const again = await client.auth.verifyOtp({ phone, token: sms.code, type: 'sms' });
    expect(again.error).toMatchObject({ code: 'otp_expired' });
    const later = await server.client().auth.signInWithPassword({ phone, password: PASSWORD });
    expect(later.error).toBeNull();
    const twice = await server.client().auth.signUp({ phone, password: PASSWORD });
    expect(twice.error).toMatchObject({ status: 422, code: 'user_already_exists' });
  });

  it('signs in by code alone, and a new number gets an account', async () => {
    const phone = newPhone();
    const client = server.client();
    const { data, error } = await client.auth.signInWithOtp({ phone });
    expect(error).toBeNull();
    expect(data.messageId).toEqual(expect.any(String));
    const { code } = await gateway.messages.next();
    expect((await client.auth.verifyOtp({ phone, token: code, type: 'sms' })).error).toBeNull();
    const unknown = await client.auth.signInWithOtp({
      phone: newPhone(),
      options: { shouldCreateUser: false },
    });
    expect(unknown.error).toMatchObject({ status: 422, code: 'otp_disabled' });
  });

  it('configured for tests is accepted with its fixed code, and no message is sent', async () => {
    const client = server.client();
    const phone = '+231770999999';
    await client.auth.signInWithOtp({ phone });
    expect((await client.auth.verifyOtp({ phone, token: '123456', type: 'sms' })).error).toBeNull();
    expect(gateway.messages.length).toBe(0);
  });

  it('is changed with the code sent to the new number, unless that number is taken', async () => {
    const { client, id } = await phoneUser();
    const other = await phoneUser();
    const phone = newPhone();
    const asked = await client.auth.updateUser({ phone });
    expect(asked.data.user).toMatchObject({ new_phone: phone.slice(1) });
    const { code } = await gateway.messages.next();
    const changed = await client.auth.verifyOtp({ phone, token: code, type: 'phone_change' });
    expect(changed.data.user).toMatchObject({ id, phone: phone.slice(1) });
    const taken = await client.auth.updateUser({ phone: other.phone });
    expect(taken.error).toMatchObject({ status: 422, code: 'phone_exists' });
  });

  it('gets its code again on request, and the response is the same if there is nothing to resend', async () => {
    const phone = newPhone();
    const client = server.client();
    await client.auth.signUp({ phone, password: PASSWORD });
    const first = await gateway.messages.next();
    expect((await client.auth.resend({ type: 'sms', phone })).error).toBeNull();
    const second = await gateway.messages.next();
    expect((await client.auth.resend({ type: 'sms', phone: newPhone() })).error).toBeNull();
    const old = await client.auth.verifyOtp({ phone, token: first.code, type: 'sms' });
    if (first.code !== second.code) expect(old.error).toMatchObject({ code: 'otp_expired' });
    const fresh = await client.auth.verifyOtp({ phone, token: second.code, type: 'sms' });
    expect(fresh.error).toBeNull();
  });

  it.each([
    ['no number', 'seven', 'Invalid phone number format (E.164 required)'],
    ['header lines', '+231770\r\nBcc: x', 'Invalid phone number format (E.164 required)'],
  ])('is rejected when it is %s', async (_what, phone, message) => {
    const { error } = await server.client().auth.signUp({ phone, password: PASSWORD });
    expect(error).toMatchObject({ status: 400, code: 'validation_failed', message });
  });

  it('is rejected without an SMS provider, before anything is stored', async () => {
    const client = mute.client();
    const phone = newPhone();
    const refused = { status: 400, code: 'phone_provider_disabled' };
    expect((await client.auth.signUp({ phone, password: PASSWORD })).error).toMatchObject(refused);
    expect((await client.auth.signInWithOtp({ phone })).error).toMatchObject(refused);
    const { client: person } = await mute.signedUp();
    expect((await person.auth.updateUser({ phone })).error).toMatchObject(refused);
    const factor = await person.auth.mfa.enroll({ factorType: 'phone', phone });
    expect(factor.error).toMatchObject(refused);
    const { rowCount } = await mute.database.owner.query(
      'select from auth.users where phone is not null',
    );
    expect(rowCount).toBe(0);
  });
});

describe('a phone as second factor', () => {
  it('raises the session to aal2 with the code that was sent, once', async () => {
    const { client } = await server.signedUp();
    const phone = newPhone();
    const enrolled = await client.auth.mfa.enroll({ factorType: 'phone', phone });
    expect(enrolled.data).toMatchObject({ type: 'phone', phone: phone.slice(1) });
    const factorId = enrolled.data?.id ?? '';
    const challenge = await client.auth.mfa.challenge({ factorId });
    const challengeId = challenge.data?.id ?? '';
    const { code } = await gateway.messages.next();
    const wrong = await client.auth.mfa.verify({ factorId, challengeId, code: '00000a' });
    expect(wrong.error).toMatchObject({
      status: 422,
      code: 'mfa_verification_failed',
      message: 'Invalid MFA Phone code entered',
    });
    expect((await client.auth.mfa.verify({ factorId, challengeId, code })).error).toBeNull();
    const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(data?.currentLevel).toBe('aal2');
    const again = await client.auth.mfa.verify({ factorId, challengeId, code });
    expect(again.error).toMatchObject({ status: 422 });
    const twice = await client.auth.mfa.enroll({ factorType: 'phone', phone });
    expect(twice.error).toMatchObject({ status: 422, code: 'mfa_verified_factor_exists' });
  });
});
