// Account linking: an external provider's email must not give access to another user's account.
import type { SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import { browse, fragmentOf, redirectOf } from '#tests/support/browser-redirects.ts';
import { newestLetter } from '#tests/support/mailbox.ts';
import { pkceClient } from '#tests/support/pkce-client.ts';
import { PASSWORD } from '#tests/support/server.ts';
import { errorOf, serverWithProvider } from '#tests/support/server-with-provider.ts';

const { server, home, person, button, arrive, userOf, actionsOf } = await serverWithProvider();
const { owner } = server.database;
const settings = server.context.settings.auth;

describe('an external sign-in', () => {
  it('uses the account with the same email if the provider has verified it', async () => {
    const { id, email, client } = await server.signedUp();
    const { sub } = person({ email: email.toUpperCase() });
    const user = await userOf(await arrive(sub));
    expect(user.id).toBe(id);
    expect(user.app_metadata).toEqual({ provider: 'email', providers: ['club', 'email'] });
    expect(user.user_metadata.full_name).toBe('Test Person');
    expect(await actionsOf(id)).toContain('identity_linked');
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  it.each([false, 'false', undefined, null, 0])(
    "does not use another user's account if the provider sends email_verified: %j",
    async (email_verified) => {
      const { id, email } = await server.signedUp();
      const { sub } = person({ email, email_verified });
      const end = await arrive(sub);
      expect(errorOf(end)).toEqual([
        'access_denied',
        'provider_email_needs_verification',
        'Unverified email with club. Verify the email with club in order to sign in',
      ]);
      const { rows } = await owner.query(
        'select provider from auth.identities where user_id = $1',
        [id],
      );
      expect(rows).toEqual([{ provider: 'email' }]);
    },
  );

  it('takes over an account that was created without proof of the email, and removes the other sign-in methods', async () => {
    // The attacker comes first, with a provider that verifies nothing.
    const address = `${crypto.randomUUID()}@test.example`;
    const attacker = await userOf(
      await arrive(person({ email: address, email_verified: false }).sub),
    );
    expect(attacker.email_confirmed_at).toBeUndefined();
    await owner.query(`update auth.users set encrypted_password = 'x' where id = $1`, [
      attacker.id,
    ]);

    const { sub } = person({ email: address });
    const user = await userOf(await arrive(sub));
    expect(user.id).toBe(attacker.id);
    expect(user.email_confirmed_at).toEqual(expect.any(String));
    expect(user.identities).toMatchObject([{ id: sub }]);
    const { rows } = await owner.query(
      `select encrypted_password, (select count(*)::int from auth.sessions where user_id = u.id) as sessions
       from auth.users u where id = $1`,
      [user.id],
    );
    expect(rows).toEqual([{ encrypted_password: null, sessions: 1 }]);
  });

  it('has to be confirmed by email when emails must be confirmed', async () => {
    settings.email.enable_confirmations = true;
    try {
      const { sub, email } = person({ email_verified: false });
      expect(errorOf(await arrive(sub))).toEqual([
        'access_denied',
        'provider_email_needs_verification',
        'Unverified email with club. A confirmation email has been sent to your club email',
      ]);
      const { link } = await newestLetter(server.context.config.dataDir, email);
      expect(fragmentOf(await redirectOf(link)).type).toBe('signup');
      expect((await userOf(await arrive(sub))).email).toBe(email);
    } finally {
      settings.email.enable_confirmations = false;
    }
  });

  it('is rejected without an email', async () => {
    const { sub } = person({ email: undefined });
    expect(errorOf(await arrive(sub))[2]).toBe('Error getting user email from external provider');
  });

  it('creates no account while sign-up is disabled, but lets existing users in', async () => {
    const known = person();
    await arrive(known.sub);
    server.context.settings.auth.enable_signup = false;
    try {
      expect(errorOf(await arrive(person().sub))[1]).toBe('signup_disabled');
      expect((await userOf(await arrive(known.sub))).email).toBe(known.email);
      // An invited user already has an account.
      const { id, email } = await invited();
      expect((await userOf(await arrive(person({ email }).sub))).id).toBe(id);
    } finally {
      server.context.settings.auth.enable_signup = true;
    }
  });

  it('is rejected for a banned user', async () => {
    const { sub } = person();
    const { id } = await userOf(await arrive(sub));
    const admin = server.client(server.context.keys.serviceKey);
    await admin.auth.admin.updateUserById(id, { ban_duration: '1h' });
    expect(errorOf(await arrive(sub))[1]).toBe('user_banned');
    expect(errorOf(await browse(await button(pkceClient(server).client, sub), home))[1]).toBe(
      'user_banned',
    );
  });
});

async function invited(): Promise<{ id: string; email: string }> {
  const email = `${crypto.randomUUID()}@test.example`;
  const admin = server.client(server.context.keys.serviceKey);
  const { data } = await admin.auth.admin.inviteUserByEmail(email);
  return { id: data.user?.id ?? '', email };
}

describe("linking a provider to one's own account", () => {
  const link = (client: SupabaseClient, sub: string) =>
    client.auth.linkIdentity({
      provider: 'custom:club',
      options: { redirectTo: home, skipBrowserRedirect: true, queryParams: { login_hint: sub } },
    });

  it('is disabled by default', async () => {
    const { client } = await server.signedUp();
    expect((await link(client, 'x')).error).toMatchObject({
      status: 404,
      code: 'manual_linking_disabled',
    });
  });

  it('works with any email, once per identity, and can be undone', async () => {
    settings.enable_manual_linking = true;
    const { client, id, email } = await server.signedUp();
    const { sub } = person({ email_verified: false });
    const first = await link(client, sub);
    expect((await userOf(await browse(first.data?.url ?? '', home))).id).toBe(id);
    const user = (await client.auth.getUser()).data.user;
    expect(user?.email).toBe(email);
    expect(user?.identities?.map(({ provider }) => provider)).toEqual(['email', 'club']);

    const again = await link(client, sub);
    expect(errorOf(await browse(again.data?.url ?? '', home))).toEqual([
      undefined,
      'identity_already_exists',
      'Identity is already linked',
    ]);
    const other = await server.signedUp();
    const stolen = await link(other.client, sub);
    expect(errorOf(await browse(stolen.data?.url ?? '', home))[2]).toBe(
      'Identity is already linked to another user',
    );

    const own = user?.identities?.find(({ provider }) => provider === 'email');
    if (!own) throw new Error('No e-mail identity.');
    expect((await client.auth.unlinkIdentity(own)).error).toBeNull();
    // A removed identity no longer signs in.
    const password = await server.client().auth.signInWithPassword({ email, password: PASSWORD });
    expect(password.error?.code).toBe('invalid_credentials');
    expect(await actionsOf(id)).toEqual(
      expect.arrayContaining(['identity_linked', 'identity_unlinked']),
    );
  });

  it('needs aal2 if the user has a second factor, and so does unlinking', async () => {
    settings.enable_manual_linking = true;
    const { client, id } = await server.signedUp();
    const user = (await client.auth.getUser()).data.user;
    await owner.query(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
       values (gen_random_uuid(), $1, 'totp', 'verified', 'x', now(), now())`,
      [id],
    );
    const refusal = { status: 403, code: 'insufficient_aal' };
    expect((await link(client, 'x')).error).toMatchObject(refusal);
    const [own] = user?.identities ?? [];
    if (!own) throw new Error('No identity.');
    expect((await client.auth.unlinkIdentity(own)).error).toMatchObject(refusal);
  });
});
