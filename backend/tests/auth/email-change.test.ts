import { describe, expect, it } from 'vitest';
import { newestLetter } from '#tests/support/mailbox.ts';
import { projectWith } from '#tests/support/project.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer({
  LOG_LEVEL: 'fatal',
  PROJECT_DIR: await projectWith(
    {
      max_frequency: '"0s"',
      secure_password_change: 'true',
      email_sent: 3,
    },
    '[auth.security]\nupdate_password_require_current_password = true',
  ),
});
const someone = (): string => `${crypto.randomUUID()}@test.example`;
const mailTo = (to: string, count = 1) => newestLetter(server.context.config.dataDir, to, count);

describe('a new email address', () => {
  it('takes effect after both addresses have confirmed it', async () => {
    const { client, email: old, id } = await server.signedUp();
    const next = someone();
    const asked = await client.auth.updateUser({ email: next.toUpperCase() });
    expect(asked.error).toBeNull();
    expect(asked.data.user).toMatchObject({ email: old, new_email: next });

    const first = await fetch((await mailTo(next)).link, { redirect: 'manual' });
    expect(first.headers.get('location')).toContain('#message=Confirmation+link+accepted');
    expect((await client.auth.getUser()).data.user?.email).toBe(old);
    const { code } = await mailTo(old);
    const second = await server
      .client()
      .auth.verifyOtp({ email: old, token: code, type: 'email_change' });
    expect(second.data.user).toMatchObject({ id, email: next, user_metadata: { email: next } });
    expect(second.data.user).not.toHaveProperty('new_email');
    expect(await mailTo(old, 2)).toMatchObject({
      subject: 'Your e-mail address was changed (Example)',
    });

    const signIn = (email: string) =>
      server.client().auth.signInWithPassword({ email, password: PASSWORD });
    expect((await signIn(next)).data.user?.id).toBe(id);
    expect((await signIn(old)).error).toMatchObject({ code: 'invalid_credentials' });
    const profile = await server.database.owner.query(
      'select email from public.profiles where id = $1',
      [id],
    );
    expect(profile.rows).toEqual([{ email: next }]);
  });

  it('is rejected if another account has it, both before and after the emails are sent', async () => {
    const { client } = await server.signedUp();
    const other = await server.signedUp();
    expect((await client.auth.updateUser({ email: other.email })).error).toMatchObject({
      status: 422,
      code: 'email_exists',
    });
    const late = someone();
    await client.auth.updateUser({ email: late });
    const { data } = await client.auth.getUser();
    await fetch((await mailTo(late)).link, { redirect: 'manual' });
    await server.client().auth.signUp({ email: late, password: PASSWORD });
    const { code } = await mailTo(data.user?.email ?? '');
    const confirmed = await server.client().auth.verifyOtp({
      email: data.user?.email ?? '',
      token: code,
      type: 'email_change',
    });
    expect(confirmed.error).toMatchObject({ status: 422, code: 'email_exists' });
  });

  it('is rejected if it is malformed', async () => {
    const { client } = await server.signedUp();
    expect((await client.auth.updateUser({ email: 'nowhere' })).error).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
  });
});

describe('a password change in an old session', () => {
  it('needs a freshly mailed code', async () => {
    const { client, email, id } = await server.signedUp();
    await server.database.owner.query(
      `update auth.sessions set created_at = created_at - interval '25 hours' where user_id = $1`,
      [id],
    );
    const change = (nonce?: string) =>
      client.auth.updateUser({
        password: 'another-horse-8',
        current_password: PASSWORD,
        ...(nonce ? { nonce } : {}),
      });
    expect((await change()).error).toMatchObject({ status: 400, code: 'reauthentication_needed' });
    expect((await client.auth.reauthenticate()).error).toBeNull();
    const { code } = await mailTo(email);
    const wrong = code === '111111' ? '222222' : '111111';
    expect((await change(wrong)).error).toMatchObject({
      status: 422,
      code: 'reauthentication_not_valid',
    });
    // Concurrent requests with one code: only one succeeds.
    const changes = await Promise.all([1, 2, 3].map(() => change(code)));
    expect(changes.filter(({ error }) => error === null)).toHaveLength(1);
  });
});

describe('when a password change needs the current password,', () => {
  it('the current password is checked and attempts are limited', async () => {
    const { client, email } = await server.signedUp();
    const change = (current_password?: string) =>
      client.auth.updateUser({ password: 'another-horse-8', current_password });
    expect((await change()).error).toMatchObject({
      status: 400,
      code: 'current_password_required',
    });
    expect((await change('wrong-horse-9')).error).toMatchObject({
      status: 400,
      code: 'current_password_invalid',
    });
    expect((await change(PASSWORD)).error).toBeNull();
    const back = { email, password: 'another-horse-8' };
    expect((await server.client().auth.signInWithPassword(back)).error).toBeNull();
    for (let n = 1; n <= 10; n += 1) await change('wrong-horse-9');
    expect((await change('another-horse-8')).error).toMatchObject({ status: 429 });
  });

  it('a user who forgot it can reset it by email', async () => {
    const { email } = await server.signedUp();
    await server.client().auth.resetPasswordForEmail(email);
    const { code } = await mailTo(email);
    const client = server.client();
    await client.auth.verifyOtp({ email, token: code, type: 'recovery' });
    expect((await client.auth.updateUser({ password: 'another-horse-8' })).error).toBeNull();
  });
});

describe('emails to one address', () => {
  it('are rate limited, whether or not the account exists', async () => {
    const { email } = await server.signedUp();
    for (const address of [email, someone()]) {
      const ask = () => server.client().auth.resetPasswordForEmail(address);
      for (let n = 1; n <= 3; n += 1) expect((await ask()).error).toBeNull();
      expect((await ask()).error).toMatchObject({
        status: 429,
        code: 'over_email_send_rate_limit',
      });
    }
  });
});
