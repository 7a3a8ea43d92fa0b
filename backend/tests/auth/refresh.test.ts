import type { Session } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const server = await testServer();
const { owner } = server.database;

async function newSession(): Promise<{ session: Session; id: string }> {
  const { client, id } = await server.signedUp();
  const { data } = await client.auth.getSession();
  if (data.session === null) throw new Error('Sign-up gave no session.');
  return { session: data.session, id };
}

const refresh = (token: string) => server.client().auth.refreshSession({ refresh_token: token });

async function refreshed(token: string): Promise<Session> {
  const { data, error } = await refresh(token);
  if (data.session === null) throw error ?? new Error('No session.');
  return data.session;
}

const sessionOf = (accessToken: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());

/** Moves every use of a token outside the reuse interval. */
const letTimePass = (userId: string) =>
  owner.query(
    `update auth.refresh_tokens set updated_at = updated_at - interval '11 seconds' where user_id = $1`,
    [userId],
  );

describe('refreshing a session', () => {
  it('keeps the session, AMR and sign-in time, and issues a new token pair', async () => {
    const { session } = await newSession();
    const next = await refreshed(session.refresh_token);
    expect(next.refresh_token).not.toBe(session.refresh_token);
    expect(next.user.last_sign_in_at).toBe(session.user.last_sign_in_at);
    const [before, after] = [sessionOf(session.access_token), sessionOf(next.access_token)];
    expect(after.session_id).toBe(before.session_id);
    expect(after.amr).toEqual(before.amr);
  });

  it('returns the same token again to a client that lost the response', async () => {
    const { session } = await newSession();
    const first = await refreshed(session.refresh_token);
    const second = await refreshed(first.refresh_token);
    expect((await refreshed(first.refresh_token)).refresh_token).toBe(second.refresh_token);
    expect((await refreshed(session.refresh_token)).refresh_token).toBe(second.refresh_token);
  });

  it('accepts the parent of the active token at any time', async () => {
    const { session, id } = await newSession();
    const next = await refreshed(session.refresh_token);
    await letTimePass(id);
    expect((await refreshed(session.refresh_token)).refresh_token).toBe(next.refresh_token);
  });

  it('ends the session when an older token is reused', async () => {
    const { session, id } = await newSession();
    const first = await refreshed(session.refresh_token);
    const second = await refreshed(first.refresh_token);
    await letTimePass(id);
    const stolen = await refresh(session.refresh_token);
    expect(stolen.error).toMatchObject({
      status: 400,
      code: 'refresh_token_already_used',
      message: 'Invalid Refresh Token: Already Used',
    });
    expect((await refresh(second.refresh_token)).error).toMatchObject({ status: 400 });
    const user = await server.client().auth.getUser(second.access_token);
    expect(user.error).toMatchObject({ name: 'AuthSessionMissingError' });
    const trail = await owner.query(
      `select 1 from auth.audit_log_entries
       where payload ->> 'action' = 'token_revoked' and payload ->> 'actor_id' = $1`,
      [id],
    );
    expect(trail.rows).toHaveLength(1);
  });

  it('does not affect other sessions of the account', async () => {
    const { client, email, id } = await server.signedUp();
    const other = server.client();
    await other.auth.signInWithPassword({ email, password: 'correct-horse-7' });
    const { data } = await client.auth.getSession();
    const first = await refreshed(data.session?.refresh_token ?? '');
    await refreshed(first.refresh_token);
    await letTimePass(id);
    await refresh(data.session?.refresh_token ?? '');
    expect((await other.auth.getUser()).data.user?.id).toBe(id);
  });

  it('returns the same token to concurrent requests', async () => {
    const { session } = await newSession();
    const tabs = await Promise.all(
      Array.from({ length: 12 }, () => refreshed(session.refresh_token)),
    );
    expect(new Set(tabs.map((tab) => tab.refresh_token)).size).toBe(1);
    const next = await refreshed(tabs[0]?.refresh_token ?? '');
    expect(next.user.id).toBe(session.user.id);
  });

  it('stores no usable token', async () => {
    const { session } = await newSession();
    const next = await refreshed(session.refresh_token);
    const { rows } = await owner.query<{ row: string }>(
      'select t::text as row from auth.refresh_tokens t',
    );
    const stored = rows.map(({ row }) => row).join('\n');
    expect(stored).not.toContain(session.refresh_token);
    expect(stored).not.toContain(next.refresh_token);
  });

  it.each([
    ['an unknown token', 'abcdefghijklmnopqrstuvwx', 400, 'refresh_token_not_found'],
    ['a malformed token', 'short', 400, 'validation_failed'],
    ['100 kB', 'a'.repeat(100_000), 400, 'validation_failed'],
  ])('rejects %s', async (_what, token, status, code) => {
    expect((await refresh(token)).error).toMatchObject({ status, code });
  });

  it('rejects a missing token and other grant types with OAuth errors', async () => {
    const call = (grant: string) =>
      fetch(`${server.url}/auth/v1/token?grant_type=${grant}`, { method: 'POST', body: '{}' });
    const missing = await call('refresh_token');
    expect([missing.status, await missing.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'refresh_token required' },
    ]);
    const other = await call('device_code');
    expect(await other.json()).toMatchObject({
      code: 400,
      error_code: 'invalid_credentials',
      msg: 'unsupported_grant_type',
    });
  });

  it('rejects a banned user', async () => {
    const { session, id } = await newSession();
    await owner.query(
      `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
      [id],
    );
    expect((await refresh(session.refresh_token)).error).toMatchObject({
      status: 400,
      code: 'user_banned',
    });
  });
});
