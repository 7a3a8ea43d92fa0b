// SAML 2.0 single sign-on, and attacks on the responses.
import { describe, expect, it } from 'vitest';
import { fragmentOf, redirectOf } from '#tests/support/browser-redirects.ts';
import { certified } from '#tests/support/certificate.ts';
import { type Changes, identityProvider } from '#tests/support/identity-provider.ts';
import { pkceClient } from '#tests/support/pkce-client.ts';
import { projectWith } from '#tests/support/project.ts';
import { testServer } from '#tests/support/server.ts';
import { adminOf } from '#tests/support/sso-admin.ts';

const server = await testServer({
  LOG_LEVEL: 'fatal',
  PROJECT_DIR: await projectWith({}, '[auth.saml]\nenabled = true'),
});
const AUTH = `${server.url}/auth/v1`;
const ACS = `${AUTH}/sso/saml/acs`;
const HOME = `${server.url}/landing`;
const ownMetadata = await (await fetch(`${AUTH}/sso/saml/metadata`)).text();
const idp = identityProvider('https://idp.test.example/metadata', ownMetadata);
const { owner } = server.database;
const { saml } = server.context.settings.auth;

const admin = adminOf(server);
const added = await admin('POST', '', {
  type: 'saml',
  metadata_xml: idp.metadata,
  domains: ['Idp.test.example', 'second.test.example'],
  attribute_mapping: { keys: { full_name: { name: 'cn' }, team: { default: 'guards' } } },
});
const providerId = String(added.body.id);

/** Starts a sign-in. @returns the URL that the browser is sent to */
async function begin(client = server.client(), redirectTo = HOME): Promise<URL> {
  const { data, error } = await client.auth.signInWithSSO({
    domain: 'idp.test.example',
    options: { redirectTo },
  });
  if (error) throw error;
  return new URL(data.url);
}

const post = (form: Record<string, string>): Promise<URL> =>
  redirectOf(ACS, { method: 'POST', body: new URLSearchParams(form) });

/** Changes the response's XML on its way through the browser. */
function rewrite(form: Record<string, string>, change: (xml: string) => string) {
  const xml = Buffer.from(form.SAMLResponse ?? '', 'base64').toString('utf8');
  const changed = change(xml);
  if (changed === xml) throw new Error('Nothing was changed.');
  return { ...form, SAMLResponse: Buffer.from(changed).toString('base64') };
}

async function userOf(end: URL) {
  const { data, error } = await server.client().auth.getUser(fragmentOf(end).access_token);
  if (error) throw error;
  return data.user;
}

const someone = (): Changes => {
  const NameID = crypto.randomUUID();
  return { NameID, Email: `${NameID}@idp.test.example` };
};

const sessions = async (): Promise<number> =>
  Number((await owner.query('select count(*) from auth.sessions')).rows[0].count);

describe('single sign-on', () => {
  it('finds the provider by email domain and creates an account from its response', async () => {
    const address = await begin();
    expect(address.origin + address.pathname).toBe('https://idp.test.example/sign-in');
    const person = someone();
    const end = await post(await idp.answer(address, person));
    expect(end.href.startsWith(`${HOME}#access_token=`)).toBe(true);
    const user = await userOf(end);
    expect(user).toMatchObject({
      email: person.Email,
      app_metadata: { provider: `sso:${providerId}` },
      user_metadata: { full_name: 'Ama Doe', custom_claims: { team: 'guards' } },
      identities: [{ id: person.NameID, provider: `sso:${providerId}` }],
    });
    const { data } = await server.client().auth.getClaims(fragmentOf(end).access_token);
    expect(data?.claims.amr).toMatchObject([{ method: 'sso/saml', provider: providerId }]);

    const again = await post(await idp.answer(await begin(), person, 'response'));
    expect((await userOf(again)).id).toBe(user.id);
    const { rows } = await owner.query(
      `select payload ->> 'action' as action, payload ->> 'actor_via_sso' as sso
       from auth.audit_log_entries where payload ->> 'actor_id' = $1 order by created_at`,
      [user.id],
    );
    expect(rows.map(({ action }) => action)).toEqual(['user_signedup', 'login', 'login']);
    expect(rows.every(({ sso }) => sso === 'true')).toBe(true);
  });

  it('gives a PKCE client a code to exchange for the session', async () => {
    const { client } = pkceClient(server);
    const person = someone();
    const end = await post(await idp.answer(await begin(client), person));
    const code = end.searchParams.get('code') ?? '';
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.email).toBe(person.Email);
  });

  it('never uses an existing account with the same email', async () => {
    const { id, email } = await server.signedUp();
    const user = await userOf(
      await post(await idp.answer(await begin(), { ...someone(), Email: email })),
    );
    expect(user.email).toBe(email);
    expect(user.id).not.toBe(id);
  });

  it('leaves password and email to the identity provider', async () => {
    const end = await post(await idp.answer(await begin(), someone()));
    const { access_token = '', refresh_token = '' } = fragmentOf(end);
    const client = server.client();
    await client.auth.setSession({ access_token, refresh_token });
    const { error } = await client.auth.updateUser({ password: 'another-horse-8' });
    expect(error).toMatchObject({ status: 422, code: 'user_sso_managed' });
  });

  it('is rejected for unknown domains and providers', async () => {
    const attempt = async (body: object) =>
      (await server.client().auth.signInWithSSO(body as never)).error;
    expect(await attempt({ domain: 'nobody.example' })).toMatchObject({
      status: 404,
      code: 'sso_provider_not_found',
      message: 'No SSO provider assigned for this domain',
    });
    expect(await attempt({ providerId: crypto.randomUUID() })).toMatchObject({
      message: 'No such SSO provider',
    });
    const response = await fetch(`${AUTH}/sso`, { method: 'POST', body: '{}' });
    expect([response.status, (await response.json()).msg]).toEqual([
      400,
      'A provider_id or domain needs to be provided',
    ]);
  });

  it('never redirects to another site', async () => {
    const address = await begin(server.client(), 'https://evil.example/');
    const end = await post(await idp.answer(address, someone()));
    expect(end.origin).toBe(server.url);
  });
});

describe('a SAML response', () => {
  const past = new Date(Date.now() - 3_600_000).toISOString();
  const future = new Date(Date.now() + 3_600_000).toISOString();

  it.each<[string, Changes]>([
    ['is for another audience', { Audience: 'https://other.example' }],
    ['is for another recipient', { SubjectRecipient: 'https://other.example/acs' }],
    ['is for another request', { InResponseTo: '_another' }],
    ['is for no request', { InResponseTo: '' }],
    ['is from another provider', { Issuer: 'https://evil.example' }],
    ['has expired', { ConditionsNotOnOrAfter: past }],
    ['is not valid yet', { ConditionsNotBefore: future }],
    ['has an old delivery time', { SubjectConfirmationDataNotOnOrAfter: past }],
    [
      'has a transient name id',
      { NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
    ],
  ])('that %s is rejected', async (_what, changes) => {
    const before = await sessions();
    const end = await post(await idp.answer(await begin(), { ...someone(), ...changes }));
    expect(end.href.startsWith(`${HOME}?`)).toBe(true);
    expect(fragmentOf(end)).toEqual({
      error: 'access_denied',
      error_code: 'saml_assertion_invalid',
      error_description: 'SAML Assertion is not valid',
      sb: '',
    });
    expect(await sessions()).toBe(before);
    const { rows } = await owner.query(
      `select payload -> 'traits' ->> 'provider' as provider from auth.audit_log_entries
       where payload ->> 'action' = 'login_failed' order by created_at desc limit 1`,
    );
    expect(rows).toEqual([{ provider: `sso:${providerId}` }]);
  });

  const attacker = identityProvider(idp.entityId, ownMetadata, certified('evil.example'));
  const assertionOf = (xml: string): string =>
    /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
  const forge = (assertion: string): string =>
    assertion
      .replace(/<ds:Signature.*<\/ds:Signature>/s, '')
      .replace(/<saml:NameID([^>]*)>[^<]*/, '<saml:NameID$1>admin')
      .replace(/ ID="[^"]*"/, ' ID="_forged"');

  it.each<[string, (address: URL) => Promise<Record<string, string>>]>([
    ['unsigned', (address) => idp.answer(address, someone(), 'none')],
    ['signed by another key', (address) => attacker.answer(address, someone())],
    [
      'changed after signing',
      async (address) =>
        rewrite(await idp.answer(address, someone()), (xml) =>
          xml.replace(/(<saml:NameID[^>]*>)[^<]*/, '$1admin'),
        ),
    ],
    [
      'with its signature removed',
      async (address) =>
        rewrite(await idp.answer(address, someone()), (xml) =>
          xml.replace(/<ds:Signature.*<\/ds:Signature>/s, ''),
        ),
    ],
    [
      'wrapped: a forged assertion before the signed one',
      async (address) =>
        rewrite(await idp.answer(address, someone()), (xml) =>
          xml.replace(assertionOf(xml), forge(assertionOf(xml)) + assertionOf(xml)),
        ),
    ],
    [
      'wrapped: a forged assertion that contains the signed one',
      async (address) =>
        rewrite(await idp.answer(address, someone()), (xml) => {
          const signed = assertionOf(xml);
          const forged = forge(signed).replace('</saml:Assertion>', `${signed}</saml:Assertion>`);
          return xml.replace(signed, forged);
        }),
    ],
    [
      'wrapped: the signature moved to a forged assertion, with the signed one in its Object element',
      async (address) =>
        rewrite(await idp.answer(address, someone()), (xml) => {
          const signed = assertionOf(xml);
          const signature = /<ds:Signature.*<\/ds:Signature>/s.exec(signed)?.[0] ?? '';
          const held = signature.replace(
            '</ds:Signature>',
            `<ds:Object>${signed.replace(signature, '')}</ds:Object></ds:Signature>`,
          );
          return xml.replace(
            signed,
            forge(signed).replace('<saml:Subject>', `${held}<saml:Subject>`),
          );
        }),
    ],
    [
      'wrapped: two elements with the same ID',
      async (address) =>
        rewrite(await idp.answer(address, someone()), (xml) => {
          const signed = assertionOf(xml);
          const id = / ID="[^"]*"/.exec(signed)?.[0] ?? '';
          const twin = forge(signed).replace(' ID="_forged"', id);
          return xml.replace(
            '<samlp:Status>',
            `<samlp:Extensions>${twin}</samlp:Extensions><samlp:Status>`,
          );
        }),
    ],
    [
      'with a DOCTYPE',
      async (address) =>
        rewrite(
          await idp.answer(address, someone()),
          (xml) => `<!DOCTYPE r [<!ENTITY a "b">]>${xml}`,
        ),
    ],
    ['that is not XML', async (address) => rewrite(await idp.answer(address), () => 'hello')],
  ])('%s is rejected', async (_what, make) => {
    const before = await sessions();
    const end = await post(await make(await begin()));
    expect(fragmentOf(end).error_code).toBe('saml_assertion_invalid');
    expect(await sessions()).toBe(before);
  });

  it('ignores a comment inside a name id', async () => {
    const person = someone();
    const form = rewrite(await idp.answer(await begin(), person), (xml) =>
      xml.replace(
        `>${person.NameID}<`,
        `>${person.NameID?.slice(0, 8)}<!---->${person.NameID?.slice(8)}<`,
      ),
    );
    // Canonical XML drops comments, so the signature is valid: the whole name must be read.
    const end = await post(form);
    expect((await userOf(end)).identities?.[0]?.id).toBe(person.NameID);
  });

  it('is accepted once per request, even concurrently', async () => {
    const form = await idp.answer(await begin(), someone());
    const ends = await Promise.all(Array.from({ length: 4 }, () => post(form)));
    expect(ends.filter((end) => fragmentOf(end).access_token)).toHaveLength(1);
    const late = await post(form);
    expect(fragmentOf(late).error_code).toBe('saml_relay_state_not_found');
    // Nor for the attacker's own request.
    const other = await begin();
    const replayed = await post({
      ...form,
      RelayState: other.searchParams.get('RelayState') ?? '',
    });
    expect(fragmentOf(replayed).error_code).toBe('saml_assertion_invalid');
  });

  it('expires after five minutes', async () => {
    const form = await idp.answer(await begin(), someone());
    await owner.query(
      `update auth.saml_relay_states set created_at = created_at - interval '301 seconds' where id = $1`,
      [form.RelayState],
    );
    expect(fragmentOf(await post(form)).error_code).toBe('saml_relay_state_expired');
  });

  it('without a request is rejected unless the setting allows it, and then works once', async () => {
    const form = await idp.answer(undefined, someone());
    expect(fragmentOf(await post(form)).error_code).toBe('saml_relay_state_not_found');
    saml.allow_idp_initiated = true;
    try {
      const ends = await Promise.all(Array.from({ length: 4 }, () => post(form)));
      expect(ends.filter((end) => fragmentOf(end).access_token)).toHaveLength(1);
      expect(fragmentOf(await post(form)).error_code).toBe('saml_assertion_invalid');
      const elsewhere = await idp.answer(undefined, someone());
      const end = await post({ ...elsewhere, RelayState: 'https://evil.example/' });
      expect(end.origin).toBe(server.url);
      // A response to another user's request can't start a sign-in.
      const stolen = await idp.answer(await begin(), someone());
      expect(fragmentOf(await post({ ...stolen, RelayState: '' })).error_code).toBe(
        'saml_assertion_invalid',
      );
    } finally {
      saml.allow_idp_initiated = false;
    }
  });
});
