// Invitations: only admins send them, and invited users must choose their own password.

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { FunctionsHttpError, type SupabaseClient } from '@supabase/supabase-js';
import { letters, newestLetter } from 'supabase-in-node/testing/mailbox';
import { describe, expect, it } from 'vitest';
import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import { testServer } from '#tests/support/server.ts';

const server = await testServer();
const { dataDir } = server.context.config;
const TEMPORARY = 'Temporary-Pass-9';
const someone = (): string => `${crypto.randomUUID()}@test.example`;

async function personWith(role?: string, siteId?: string): Promise<SupabaseClient> {
  const { client, id } = await server.signedUp();
  if (role !== undefined) {
    const sql = 'insert into public.user_roles (user_id, role, site_id) values ($1, $2, $3)';
    await server.database.owner.query(sql, [id, role, siteId]);
  }
  return client;
}
const admin = await personWith('admin');

/** @returns status and body, also of an error */
async function invite(client: SupabaseClient, body: unknown): Promise<[number, unknown]> {
  const { data, error } = await client.functions.invoke('invite-user', {
    body: JSON.stringify(body),
  });
  if (error === null) return [200, data];
  if (!(error instanceof FunctionsHttpError)) throw error;
  return [error.context.status, await error.context.json()];
}
const invitation = (more: Record<string, unknown> = {}) => ({
  email: someone(),
  full_name: 'Hawa Kromah',
  password: TEMPORARY,
  ...more,
});
const accounts = async (email: string): Promise<number> => {
  const sql = 'select 1 from auth.users where lower(email) = lower($1)';
  return (await server.database.owner.query(sql, [email])).rowCount ?? 0;
};

describe('an admin invites', () => {
  it('a user who signs in with the temporary password and must change it', async () => {
    const wanted = invitation({ email: `  ${someone().toUpperCase()} ` });
    const email = wanted.email.trim().toLowerCase();
    const [status, body] = await invite(admin, wanted);
    expect(status).toBe(200);

    const letter = await newestLetter(dataDir, email);
    expect(letter.subject).toContain('invited');
    expect(`${letter.text}${letter.html}`).not.toContain(TEMPORARY);

    const person = server.client();
    const { data, error } = await person.auth.signInWithPassword({ email, password: TEMPORARY });
    expect(error).toBeNull();
    expect(body).toEqual({ user_id: data.user?.id });
    const own = () => person.from('profiles').select('full_name, must_change_password');
    expect((await own()).data).toEqual([{ full_name: 'Hawa Kromah', must_change_password: true }]);
    expect((await person.from('deployments').select('id')).data).toEqual([]);
    expect((await person.auth.updateUser({ password: 'My-own-choice-5' })).error).toBeNull();
    expect((await own()).data).toEqual([{ full_name: 'Hawa Kromah', must_change_password: false }]);
  });

  it("a user by an email with a sign-in link to the admin's origin", async () => {
    const wanted = invitation();
    const token = (await admin.auth.getSession()).data.session?.access_token;
    const answer = await fetch(`${server.url}/functions/v1/invite-user`, {
      method: 'POST',
      body: JSON.stringify(wanted),
      headers: { authorization: `Bearer ${token}`, origin: server.url },
    });
    expect(answer.status).toBe(200);
    const { link } = await newestLetter(dataDir, wanted.email);
    const landing = await fetch(link, { redirect: 'manual' });
    expect(landing.headers.get('location')).toMatch(
      new RegExp(`^${server.url}/auth#access_token=.*type=invite`),
    );
  });

  it.each<[string, Record<string, unknown> | undefined, number, string, string]>([
    ['no email', { email: undefined }, 400, 'validation_failed', 'Email is required'],
    ['an invalid email', { email: 'hawa@' }, 400, 'validation_failed', 'Invalid email address'],
    [
      'an overlong email',
      { email: `${'a'.repeat(250)}@test.example` },
      400,
      'validation_failed',
      'Email must be less than 255 characters',
    ],
    ['no name', { full_name: '  ' }, 400, 'validation_failed', 'Full name is required'],
    [
      'no password',
      { password: undefined },
      400,
      'validation_failed',
      'Temporary password is required',
    ],
    [
      'a short password',
      { password: 'Short-7' },
      400,
      'validation_failed',
      'The temporary password must be at least 8 characters',
    ],
    ['a number as the name', { full_name: 7 }, 400, 'validation_failed', 'Full name is required'],
  ])(
    'nobody with %s: the request is rejected and stores nothing',
    async (_what, change, status, code, message) => {
      const wanted = invitation(change);
      expect(await invite(admin, wanted)).toEqual([status, { code, message }]);
      if (typeof wanted.email === 'string') expect(await accounts(wanted.email)).toBe(0);
    },
  );

  it.each([
    ['text', 'not json'],
    ['an array', '[]'],
    ['null', 'null'],
    ['nothing', ''],
  ])('nobody with %s as the body', async (_what, body) => {
    const { error } = await admin.functions.invoke('invite-user', { body });
    expect(error.context.status).toBe(400);
  });

  it('nobody with the email of an existing account, which stays unchanged', async () => {
    const { email, client } = await server.signedUp();
    const [status, body] = await invite(admin, invitation({ email: email.toUpperCase() }));
    expect([status, body]).toEqual([
      409,
      { code: 'email_exists', message: 'There is already an account with this email address.' },
    ]);
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
    expect((await letters(dataDir)).filter(({ to }) => to === email)).toEqual([]);
  });

  it('a user once, even with two concurrent requests', async () => {
    const wanted = invitation();
    const answers = await Promise.all([
      invite(admin, wanted),
      invite(admin, wanted),
      invite(admin, wanted),
    ]);
    expect(answers.map(([status]) => status).sort()).toEqual([200, 409, 409]);
    expect(await accounts(wanted.email)).toBe(1);
    const { error } = await server
      .client()
      .auth.signInWithPassword({ email: wanted.email, password: TEMPORARY });
    expect(error).toBeNull();
  });

  it("nobody if the email can't be sent, and the address stays free", async () => {
    const wanted = invitation();
    const send = server.context.mailer.send;
    server.context.mailer.send = () => Promise.reject(new Error('no mail today'));
    try {
      expect(await invite(admin, wanted)).toEqual([
        502,
        { code: 'not_invited', message: 'The invitation could not be sent. Please try again.' },
      ]);
    } finally {
      server.context.mailer.send = send;
    }
    expect(await accounts(wanted.email)).toBe(0);
    expect((await invite(admin, wanted))[0]).toBe(200);
  });
});

describe('an invitation is rejected', () => {
  it.each([undefined, ...USER_ROLES_ROLE.filter((role) => role !== 'admin')])(
    'as %s',
    async (role) => {
      const wanted = invitation();
      expect(await invite(await personWith(role), wanted)).toEqual([
        403,
        { code: 'not_admin', message: 'Only admins invite people.' },
      ]);
      expect(await accounts(wanted.email)).toBe(0);
    },
  );

  it('for an anonymous caller with the anon key', async () => {
    expect((await invite(server.client(), invitation()))[0]).toBe(401);
  });

  it('for an admin who has signed out or still has a temporary password', async () => {
    const leaver = await personWith('admin');
    const token = (await leaver.auth.getSession()).data.session?.access_token;
    await leaver.auth.signOut();
    const late = await fetch(`${server.url}/functions/v1/invite-user`, {
      method: 'POST',
      body: JSON.stringify(invitation()),
      headers: { authorization: `Bearer ${token}` },
    });
    expect(late.status).toBe(401);

    const { client, id } = await server.signedUp();
    await server.database.owner.query(
      `insert into public.user_roles (user_id, role) values ('${id}', 'admin');
       update public.profiles set must_change_password = true where id = '${id}'`,
    );
    expect((await invite(client, invitation()))[0]).toBe(403);
  });

  it('for other HTTP methods', async () => {
    const { error } = await admin.functions.invoke('invite-user', { method: 'GET' });
    expect(error.context.status).toBe(405);
  });
});

describe('a gateway key', () => {
  const { publishable, secret } = server.context.keys.gateway;

  it('is stored in a file that only the server can read', async () => {
    const file = path.join(dataDir, 'keys', 'gateway.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ publishable, secret });
  });

  it('acts as the anon key unless the request has a session token', async () => {
    const client = server.client(publishable);
    expect((await client.from('deployments').select('id')).error?.code).toBe('42501');
    const { data, error } = await client.auth.signUp({ email: someone(), password: TEMPORARY });
    expect(error).toBeNull();
    expect((await client.from('profiles').select('id')).data).toEqual([{ id: data.user?.id }]);
    const { status } = await new Promise<{ status: string }>((resolve) => {
      client.channel('keys').subscribe((state) => resolve({ status: state }));
    });
    expect(status).toBe('SUBSCRIBED');
  });

  it('acts as the service key', async () => {
    const client = server.client(secret);
    expect((await client.auth.admin.listUsers()).error).toBeNull();
    const { count } = await client.from('profiles').select('*', { count: 'exact', head: true });
    expect(count).toBeGreaterThan(1);
  });

  it.each(['sb_secret_', `${secret}x`, 'sb_publishable_'])(
    'that is not ours is rejected',
    async (key) => {
      expect((await server.client(key).from('profiles').select('id')).status).toBe(401);
      expect((await server.client(key).auth.admin.listUsers()).error).not.toBeNull();
    },
  );
});
