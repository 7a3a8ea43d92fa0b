// Start codes: an account without an email address opens with a code, once, and asks for a password.
import { FunctionsHttpError, type SupabaseClient } from '@supabase/supabase-js';
import { letters } from 'supabase-in-node/testing/mailbox';
import { describe, expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const server = await testServer();
const { owner } = server.database;
const OWN_PASSWORD = 'A-Walk-Along-Camp-Johnson-Road-4';

const { client: admin, id: adminId } = await server.signedUp();
await owner.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [adminId]);

let last = 0;
const newPhone = (): string => {
  last += 1;
  return `+23177${String(last).padStart(7, '0')}`;
};

async function hire(more: Record<string, string> = {}) {
  const phone = newPhone();
  const { data, error } = await admin.rpc('hire_people', {
    p_people: [{ full_name: 'Moses Kollie', phone, salary_amount: 180, ...more }],
  });
  if (error) throw error;
  const { code, user_id } = data[0];
  return { phone, code: String(code), id: String(user_id) };
}

/** @returns status and body, also of an error */
async function call(
  client: SupabaseClient,
  name: string,
  body: Record<string, string>,
): Promise<[number, Record<string, string>]> {
  const { data, error } = await client.functions.invoke(name, { body });
  if (error === null) return [200, data];
  if (!(error instanceof FunctionsHttpError)) throw error;
  return [error.context.status, await error.context.json()];
}

const tryCode = (login: string, code: string) =>
  call(server.client(), 'use-start-code', { login, code });
const wrongCodeFor = (code: string) => (code === '00000000' ? '11111111' : '00000000');

describe('a start code', () => {
  it('gives a session that opens nothing until a password is chosen, which then signs in by phone', async () => {
    const { phone, code, id } = await hire();
    const [status, session] = await tryCode(phone.replace('+231', '0'), code);
    expect(status).toBe(200);
    const guard = server.client();
    const { access_token = '', refresh_token = '' } = session;
    const { data } = await guard.auth.setSession({ access_token, refresh_token });
    expect(data.user).toMatchObject({ id, phone: phone.slice(1) });
    const profile = () => guard.from('profiles').select('phone, must_change_password');
    expect((await profile()).data).toEqual([{ phone, must_change_password: true }]);
    expect((await guard.from('user_roles').select('role')).data).toEqual([]);

    expect((await guard.auth.updateUser({ password: OWN_PASSWORD })).error).toBeNull();
    expect((await profile()).data).toEqual([{ phone, must_change_password: false }]);
    expect((await guard.from('user_roles').select('role')).data).toEqual([{ role: 'guard' }]);
    const again = await server.client().auth.signInWithPassword({ phone, password: OWN_PASSWORD });
    expect(again.error).toBeNull();
  });

  it('works once, even with two concurrent requests', async () => {
    const { phone, code } = await hire();
    const answers = await Promise.all([tryCode(phone, code), tryCode(phone, code)]);
    expect(answers.map(([status]) => status).sort()).toEqual([200, 403]);
    expect((await tryCode(phone, code))[1]).toMatchObject({ code: 'wrong_code' });
  });

  it('signs in by email too', async () => {
    const email = `${crypto.randomUUID()}@test.example`;
    const { code } = await hire({ email });
    expect((await tryCode(email.toUpperCase(), code))[0]).toBe(200);
  });

  it('is refused when it is wrong, expired, or of an unknown number, with the same answer', async () => {
    const { phone, code, id } = await hire();
    const wrong = await tryCode(phone, wrongCodeFor(code));
    expect(wrong[0]).toBe(403);
    await owner.query('update private.start_codes set expires_at = now() where user_id = $1', [id]);
    expect(await tryCode(phone, code)).toEqual(wrong);
    expect(await tryCode(newPhone(), code)).toEqual(wrong);
  });

  it('is blocked after five wrong ones', async () => {
    const { phone, code } = await hire();
    for (let guess = 0; guess < 5; guess += 1) await tryCode(phone, wrongCodeFor(code));
    expect(await tryCode(phone, code)).toEqual([
      429,
      { code: 'too_many_codes', message: 'Too many wrong codes. Try again in 15 minutes.' },
    ]);
  });

  it('is blocked for a network after thirty wrong ones, whatever address the client claims', async () => {
    await owner.query('delete from private.start_failures');
    const { phone, code } = await hire();
    for (let guess = 0; guess < 30; guess += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${guess}` };
      const body = { login: newPhone(), code };
      await server.client().functions.invoke('use-start-code', { body, headers });
    }
    expect((await tryCode(phone, code))[0]).toBe(429);
    await owner.query('delete from private.start_failures');
  });

  it('needs a name and a code', async () => {
    expect((await tryCode('', ''))[0]).toBe(400);
  });

  it('of a disabled account does not work', async () => {
    const { phone, code, id } = await hire();
    await admin.rpc('end_employment', { p_user_id: id, p_last_day: '2026-01-31' });
    expect((await tryCode(phone, code))[0]).toBe(403);
  });
});

describe('an invitation is mailed again', () => {
  const resend = (client: SupabaseClient, user_id: string) =>
    call(client, 'resend-invitation', { user_id });
  const mailsTo = async (email: string) =>
    (await letters(server.context.config.dataDir)).filter(({ to }) => to === email).length;

  it('to a hired person with an email, whose start code and temporary password stay', async () => {
    const email = `${crypto.randomUUID()}@test.example`;
    const { id, code } = await hire({ email });
    expect(await resend(admin, id)).toEqual([200, { email }]);
    expect(await mailsTo(email)).toBe(1);
    expect((await tryCode(email, code))[0]).toBe(200);
  });

  it('to an invited user, whose temporary password stays', async () => {
    const body = {
      email: `${crypto.randomUUID()}@test.example`,
      full_name: 'Hawa Kromah',
      password: 'Temporary-Pass-9',
    };
    const { data } = await admin.functions.invoke('invite-user', { body });
    expect((await resend(admin, data.user_id))[0]).toBe(200);
    const { error } = await server.client().auth.signInWithPassword(body);
    expect(error).toBeNull();
  });

  it('to nobody without an email, with a password of their own, or unknown', async () => {
    const { id } = await hire();
    expect((await resend(admin, id))[0]).toBe(409);
    expect((await resend(admin, adminId))[0]).toBe(409);
    expect((await resend(admin, crypto.randomUUID()))[0]).toBe(409);
    expect((await resend(admin, 'me'))[0]).toBe(400);
  });

  it('by admins only', async () => {
    const { client, id } = await server.signedUp();
    expect((await resend(client, id))[0]).toBe(403);
    expect((await resend(server.client(), id))[0]).toBe(401);
  });
});
