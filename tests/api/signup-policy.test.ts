import { loggedLines } from 'supabase-in-node/testing/logged';
import { newestLetter } from 'supabase-in-node/testing/mailbox';
import { PASSWORD } from 'supabase-in-node/testing/server';
import { expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const closed = await testServer({ SIGNUP_POLICY: 'closed' });
const approving = await testServer({ SIGNUP_POLICY: 'approval', LOG_LEVEL: 'debug' });
const someone = (): string => `${crypto.randomUUID()}@test.example`;

it('SIGNUP_POLICY=closed rejects sign-ups, and the settings report it', async () => {
  const { error } = await closed.client().auth.signUp({ email: someone(), password: PASSWORD });
  expect(error).toMatchObject({
    status: 422,
    code: 'signup_disabled',
    message: 'Signups not allowed for this instance',
  });
  const settings = await fetch(`${closed.url}/auth/v1/settings`);
  expect(await settings.json()).toMatchObject({
    disable_signup: true,
    external: { email: true, phone: true, google: false },
  });
});

it('SIGNUP_POLICY=approval requires a confirmed email, and logs no link or code', async () => {
  const logged = loggedLines();
  const email = someone();
  const { data, error } = await approving.client().auth.signUp({ email, password: PASSWORD });
  expect(error).toBeNull();
  expect(data.session).toBeNull();
  const signIn = () => approving.client().auth.signInWithPassword({ email, password: PASSWORD });
  expect((await signIn()).error).toMatchObject({ code: 'email_not_confirmed' });
  const { link, code } = await newestLetter(approving.context.config.dataDir, email);
  await expect.poll(() => logged.join()).toContain('mail written to the outbox');
  expect(logged.join()).not.toContain(new URL(link).searchParams.get('token'));
  expect(logged.join()).not.toMatch(new RegExp(`\\b${code}\\b`));
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
  expect((await signIn()).error).toBeNull();
});
