import { createClient } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import ws from 'ws';
import { letters, newestLetter } from '#tests/support/mailbox.ts';
import { projectWith } from '#tests/support/project.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer({
  LOG_LEVEL: 'fatal',
  PROJECT_DIR: await projectWith({ max_frequency: '"0s"' }),
});
const confirming = await testServer({
  LOG_LEVEL: 'fatal',
  PROJECT_DIR: await projectWith({ max_frequency: '"0s"', enable_confirmations: 'true' }),
});
const { admin } = server.client(server.context.keys.serviceKey).auth;
const someone = (): string => `${crypto.randomUUID()}@test.example`;
const mailTo = (to: string, count = 1) => newestLetter(server.context.config.dataDir, to, count);
const follow = (link: string) => fetch(link, { redirect: 'manual' });

function landing(response: Response): { url: URL; fragment: Record<string, string> } {
  expect(response.status).toBe(303);
  const url = new URL(response.headers.get('location') ?? '');
  return { url, fragment: Object.fromEntries(new URLSearchParams(url.hash.slice(1))) };
}

describe('signing in by email', () => {
  it('signs an existing user in with the code', async () => {
    const { email, id } = await server.signedUp();
    await server.client().auth.signInWithOtp({ email });
    const { code, subject } = await mailTo(email);
    expect(subject).toBe('Your sign-in link for Example');
    const { data } = await server.client().auth.verifyOtp({ email, token: code, type: 'email' });
    expect(data.session?.user.id).toBe(id);
  });

  it('creates an account for a new user, confirmed by the code', async () => {
    const email = someone();
    await server.client().auth.signInWithOtp({ email, options: { data: { full_name: 'New' } } });
    const { code } = await mailTo(email);
    const { data } = await server.client().auth.verifyOtp({ email, token: code, type: 'email' });
    expect(data.user).toMatchObject({
      email,
      email_confirmed_at: expect.any(String),
      user_metadata: { full_name: 'New', email_verified: true },
    });
  });

  it('creates no account if the client sets shouldCreateUser to false', async () => {
    const { error } = await server
      .client()
      .auth.signInWithOtp({ email: someone(), options: { shouldCreateUser: false } });
    expect(error).toMatchObject({ status: 422, code: 'otp_disabled' });
  });

  it('works with PKCE: only the client that asked can exchange the code from the link', async () => {
    const { email, id } = await server.signedUp();
    const storage = new Map<string, string>();
    const client = createClient(server.url, server.context.keys.anonKey, {
      auth: {
        flowType: 'pkce',
        autoRefreshToken: false,
        persistSession: true,
        storage: {
          getItem: (key) => storage.get(key) ?? null,
          setItem: (key, value) => void storage.set(key, value),
          removeItem: (key) => void storage.delete(key),
        },
      },
      // Node 20 has no built-in WebSocket.
      realtime: { transport: ws as never },
    });
    await client.auth.signInWithOtp({ email });
    const { link } = await mailTo(email);
    const { url } = landing(await follow(link));
    const code = url.searchParams.get('code') ?? '';
    expect(url.hash).toBe('');
    const stolen = await fetch(`${server.url}/auth/v1/token?grant_type=pkce`, {
      method: 'POST',
      body: JSON.stringify({ auth_code: code, code_verifier: 'x'.repeat(43) }),
    });
    expect([stolen.status, await stolen.json()]).toMatchObject([
      400,
      { error_code: 'bad_code_verifier' },
    ]);
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    const claims = await client.auth.getClaims();
    expect(claims.data?.claims.amr).toMatchObject([{ method: 'magiclink' }]);
  });
});

describe('an invitation', () => {
  it('creates an unconfirmed account that the link confirms', async () => {
    const email = someone();
    const { data, error } = await admin.inviteUserByEmail(email, { data: { full_name: 'Guest' } });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, invited_at: expect.any(String) });
    expect(data.user).not.toHaveProperty('email_confirmed_at');
    const { fragment } = landing(await follow((await mailTo(email)).link));
    expect(fragment.type).toBe('invite');
    const user = await server.client().auth.getUser(fragment.access_token);
    expect(user.data.user?.email_confirmed_at).toBeTruthy();
    expect((await admin.inviteUserByEmail(email)).error).toMatchObject({
      status: 422,
      code: 'email_exists',
    });
  });

  it.each(['signup', 'invite', 'magiclink', 'recovery'] as const)(
    'or another link can be generated without an email: %s',
    async (type) => {
      const email = type === 'recovery' ? (await server.signedUp()).email : someone();
      const { data, error } = await admin.generateLink({ type, email, password: PASSWORD });
      expect(error).toBeNull();
      const { hashed_token: hash, verification_type: verification } = data.properties ?? {};
      expect(data.properties?.email_otp).toMatch(/^\d{6}$/);
      const verified = await server.client().auth.verifyOtp({
        token_hash: hash ?? '',
        type: verification ?? 'signup',
      });
      expect(verified.data.user?.email).toBe(email);
    },
  );
});

describe('HEAD', () => {
  it.each(['signup', 'invite', 'magiclink', 'recovery'] as const)(
    'does not spend the link of a mail, with which scanners look at it: %s',
    async (type) => {
      const email = type === 'recovery' ? (await server.signedUp()).email : someone();
      const { data } = await admin.generateLink({ type, email, password: PASSWORD });
      const link = data.properties?.action_link ?? '';
      const looked = await fetch(link, { method: 'HEAD', redirect: 'manual' });
      expect([looked.status, looked.headers.get('location')]).toEqual([200, null]);
      const { fragment } = landing(await follow(link));
      expect(fragment).toHaveProperty('access_token');
    },
  );

  it('sends no code to confirm a password change', async () => {
    const { client, email } = await server.signedUp();
    const { data } = await client.auth.getSession();
    const ask = (method: string) =>
      fetch(`${server.url}/auth/v1/reauthenticate`, {
        method,
        headers: { authorization: `Bearer ${data.session?.access_token}` },
      });
    expect((await ask('HEAD')).status).toBe(200);
    expect((await ask('GET')).status).toBe(200);
    await mailTo(email);
    const sent = await letters(server.context.config.dataDir);
    expect(sent.filter(({ to }) => to === email)).toHaveLength(1);
  });

  it('opens no sign-in with a provider', async () => {
    const looked = await fetch(`${server.url}/auth/v1/authorize?provider=none`, {
      method: 'HEAD',
      redirect: 'manual',
    });
    expect(looked.status).toBe(200);
  });
});

describe('when emails must be confirmed,', () => {
  it('sign-up returns no session before confirmation and does not reveal existing accounts', async () => {
    const email = someone();
    const signUp = () => confirming.client().auth.signUp({ email, password: PASSWORD });
    const first = await signUp();
    expect(first.data.session).toBeNull();
    expect(first.data.user).toMatchObject({ email, confirmation_sent_at: expect.any(String) });
    const signIn = () => confirming.client().auth.signInWithPassword({ email, password: PASSWORD });
    expect((await signIn()).error).toMatchObject({ code: 'email_not_confirmed' });
    await newestLetter(confirming.context.config.dataDir, email);
    await confirming.client().auth.resend({ type: 'signup', email });
    const { link } = await newestLetter(confirming.context.config.dataDir, email, 2);
    expect(landing(await follow(link)).fragment.type).toBe('signup');
    expect((await signIn()).error).toBeNull();
    const again = await signUp();
    expect(again.error).toBeNull();
    expect(again.data.user).toMatchObject({ email, identities: [] });
    expect(again.data.user?.id).not.toBe(first.data.user?.id);
    const { rows } = await confirming.database.owner.query(
      `select (select count(*)::int from auth.users) as people, (select count(*)::int from auth.audit_log_entries
         where payload ->> 'action' = 'user_repeated_signup') as repeated`,
    );
    expect(rows).toEqual([{ people: 1, repeated: 1 }]);
  });

  it.each<[string, (email: string) => Promise<unknown>, 'signup' | 'magiclink' | 'invite']>([
    [
      'also signs up',
      (email) => confirming.client().auth.signUp({ email, password: 'own-horse-77' }),
      'signup',
    ],
    [
      'asks for a sign-in link',
      (email) => confirming.client().auth.signInWithOtp({ email }),
      'magiclink',
    ],
    [
      'is invited',
      (email) =>
        confirming.client(confirming.context.keys.serviceKey).auth.admin.inviteUserByEmail(email),
      'invite',
    ],
  ])(
    "another person's password for the address stops working once the owner %s",
    async (_what, come, type) => {
      const email = someone();
      const otherUser = () => confirming.client().auth.signUp({ email, password: PASSWORD });
      await otherUser();
      const { dataDir } = confirming.context.config;
      await newestLetter(dataDir, email);
      await come(email);
      const { link } = await newestLetter(dataDir, email, 2);
      expect(landing(await follow(link)).fragment).toMatchObject({ type });
      const signIn = (password: string) =>
        confirming.client().auth.signInWithPassword({ email, password });
      for (const password of [PASSWORD, 'own-horse-77']) {
        expect((await signIn(password)).error, password).toMatchObject({
          code: 'invalid_credentials',
        });
      }
    },
  );

  it('a repeated sign-up keeps its password, and so does an account created by an admin', async () => {
    const email = someone();
    const { dataDir } = confirming.context.config;
    for (const count of [1, 2]) {
      await confirming.client().auth.signUp({ email, password: PASSWORD });
      const { link } = await newestLetter(dataDir, email, count);
      if (count === 2) await follow(link);
    }
    const signIn = (address: string) =>
      confirming.client().auth.signInWithPassword({ email: address, password: PASSWORD });
    expect((await signIn(email)).error).toBeNull();

    const given = someone();
    await confirming
      .client(confirming.context.keys.serviceKey)
      .auth.admin.createUser({ email: given, password: PASSWORD });
    await confirming.client().auth.signInWithOtp({ email: given });
    await follow((await newestLetter(dataDir, given)).link);
    expect((await signIn(given)).error).toBeNull();
  });
});
