// Fuzzed requests to every endpoint: the response is never a 5xx and always has the service's JSON format.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { projectWith } from '#tests/support/project.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const PLENTY = 1_000_000;
const server = await testServer({
  LOG_LEVEL: 'fatal',
  PROJECT_DIR: await projectWith(
    {
      sign_in_sign_ups: PLENTY,
      token_refresh: PLENTY,
      token_verifications: PLENTY,
      email_sent: PLENTY,
      wrong_passwords: PLENTY,
      max_frequency: '"0s"',
      enable_anonymous_sign_ins: 'true',
    },
    `[auth.saml]
enabled = true
allow_idp_initiated = true
[auth.external.club]
enabled = true
client_id = "x"
url = "http://127.0.0.1:9"`,
  ),
});
server.context.settings.auth.enable_manual_linking = true;
const { client, id, email } = await server.signedUp();
const { data } = await client.auth.getSession();
const tokens = {
  user: data.session?.access_token ?? '',
  // Names no session, so that no sign-out ends it.
  lasting: await server.context.keys.sign({ sub: id, role: 'authenticated' }),
  service: server.context.keys.serviceKey,
  nobody: server.context.keys.anonKey,
};

const FIELDS = [
  ...['email', 'phone', 'password', 'data', 'nonce', 'type', 'token', 'token_hash', 'id', 'role'],
  ...['refresh_token', 'auth_code', 'code_verifier', 'code_challenge', 'code_challenge_method'],
  ...['factor_type', 'friendly_name', 'issuer', 'challenge_id', 'code', 'create_user', 'channel'],
  ...['user_metadata', 'app_metadata', 'ban_duration', 'new_email', 'redirect_to', 'provider'],
  ...['email_confirm', 'password_hash', 'should_soft_delete', 'id_token', 'chain', 'aud'],
  ...['domain', 'provider_id', 'link_identity', 'metadata_xml', 'domains', 'attribute_mapping'],
];
const meaningful = fc.constantFrom<unknown>(
  ...[email, 'new@test.example', PASSWORD, 'signup', 'recovery', 'email_change', 'totp', '123456'],
  ...['231770123456', '24h', 'none', id, 'x'.repeat(64), 's256', '\u0000', '', null, true, -1, {}],
  ...['9'.repeat(400), 'magiclink', '__proto__', [], 1e308, 'authenticated'],
  ...['club', 'saml', 'test.example', '<EntityDescriptor entityID="x"/>'],
);
const value = fc.oneof(meaningful, fc.jsonValue(), fc.string({ unit: 'binary' }));
const body = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 8 });

const anyId = fc.constantFrom('7', '%00', crypto.randomUUID(), 'a%2Fb');
const path = fc.oneof(
  fc.constantFrom(
    ...['/signup', '/recover', '/otp', '/magiclink', '/resend', '/verify', '/user', '/factors'],
    ...['/logout', '/reauthenticate', '/invite', '/admin/users', '/admin/generate_link', '/sso'],
    ...['/authorize', '/settings', '/health', '/user/identities/authorize', '/nowhere'],
    ...['/callback', '/sso/saml/acs', '/sso/saml/metadata', '/admin/sso/providers'],
    ...['/authorize?provider=club', '/user/identities/authorize?provider=club'],
  ),
  fc
    .constantFrom('password', 'refresh_token', 'pkce', 'id_token', 'web3', '')
    .map((grant) => `/token?grant_type=${grant}`),
  anyId.map((given) => `/admin/users/${given}`),
  anyId.map((given) => `/admin/users/${given}/factors/${given}`),
  anyId.map((given) => `/factors/${given}/verify`),
  anyId.map((given) => `/user/identities/${given}`),
  anyId.map((given) => `/admin/sso/providers/${given}`),
  anyId.map((given) => `/callback?code=x&state=${given}`),
  fc.webQueryParameters().map((query) => `/verify?${query}`),
  fc.webQueryParameters().map((query) => `/callback?${query}`),
  fc.webQueryParameters().map((query) => `/authorize?provider=club&${query}`),
  fc.webQueryParameters().map((query) => `/admin/users?filter=${query}`),
);

it('is handled without a server error', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
      path,
      body,
      fc.constantFrom(...Object.values(tokens), 'junk'),
      async (method, to, sent, token) => {
        const response = await fetch(`${server.url}/auth/v1${to}`, {
          method,
          redirect: 'manual',
          headers: { authorization: `Bearer ${token}` },
          ...(method === 'GET' ? {} : { body: JSON.stringify(sent) }),
        });
        const text = await response.text();
        expect(response.status, text).toBeLessThan(500);
        if (response.status >= 400) {
          const answer: unknown = JSON.parse(text);
          expect(answer).toMatchObject(
            typeof answer === 'object' && answer !== null && 'error' in answer
              ? { error_description: expect.any(String) }
              : { code: response.status, error_code: expect.any(String), msg: expect.any(String) },
          );
        }
      },
    ),
    { numRuns: 600 },
  );
});
