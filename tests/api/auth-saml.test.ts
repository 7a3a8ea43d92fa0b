// Single sign-on with a company's identity provider (SAML 2.0), and the attacks on its answers.
import { describe, expect, it } from 'vitest';
import { certified } from '#tests/support/certificate.ts';
import { type Changes, identityProvider } from '#tests/support/identity-provider.ts';
import { fragmentOf, redirectOf } from '#tests/support/outside-browser.ts';
import { pkceClient } from '#tests/support/pkce-client.ts';
import { projectWith } from '#tests/support/project.ts';
import { testServer } from '#tests/support/server.ts';

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

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function admin(
  method: string,
  path: string,
  body?: object,
  key = server.context.keys.serviceKey,
): Promise<Answer> {
  const response = await fetch(`${AUTH}/admin/sso/providers${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'x-supabase-api-version': '2024-01-01' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const added = await admin('POST', '', {
  type: 'saml',
  metadata_xml: idp.metadata,
  domains: ['Idp.test.example', 'second.test.example'],
  attribute_mapping: { keys: { full_name: { name: 'cn' }, team: { default: 'guards' } } },
});
const providerId = String(added.body.id);

/** Begins a sign-in. @returns where the browser is sent */
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

/** Changes the answer's XML on its way through the browser. */
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
  it('asks the provider of the address, and makes an account from its answer', async () => {
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

  it('gives a code to a client with PKCE, which gets the session for it', async () => {
    const { client } = pkceClient(server);
    const person = someone();
    const end = await post(await idp.answer(await begin(client), person));
    const code = end.searchParams.get('code') ?? '';
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.email).toBe(person.Email);
  });

  it('shares no account with anybody who has the same address', async () => {
    const { id, email } = await server.signedUp();
    const user = await userOf(
      await post(await idp.answer(await begin(), { ...someone(), Email: email })),
    );
    expect(user.email).toBe(email);
    expect(user.id).not.toBe(id);
  });

  it('leaves password and address to the company', async () => {
    const end = await post(await idp.answer(await begin(), someone()));
    const { access_token = '', refresh_token = '' } = fragmentOf(end);
    const client = server.client();
    await client.auth.setSession({ access_token, refresh_token });
    const { error } = await client.auth.updateUser({ password: 'another-horse-8' });
    expect(error).toMatchObject({ status: 422, code: 'user_sso_managed' });
  });

  it('is not for addresses and providers that nobody added', async () => {
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

  it('never leads to another site', async () => {
    const address = await begin(server.client(), 'https://evil.example/');
    const end = await post(await idp.answer(address, someone()));
    expect(end.origin).toBe(server.url);
  });
});

describe('an answer', () => {
  const past = new Date(Date.now() - 3_600_000).toISOString();
  const future = new Date(Date.now() + 3_600_000).toISOString();

  it.each<[string, Changes]>([
    ['is for another audience', { Audience: 'https://other.example' }],
    ['is for another recipient', { SubjectRecipient: 'https://other.example/acs' }],
    ['is for another request', { InResponseTo: '_another' }],
    ['is for no request', { InResponseTo: '' }],
    ['is of another provider', { Issuer: 'https://evil.example' }],
    ['has expired', { ConditionsNotOnOrAfter: past }],
    ['is not valid yet', { ConditionsNotBefore: future }],
    ['was to be delivered long ago', { SubjectConfirmationDataNotOnOrAfter: past }],
    [
      'names somebody anew every time',
      { NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
    ],
  ])('that %s is refused', async (_what, changes) => {
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

  const thief = identityProvider(idp.entityId, ownMetadata, certified('evil.example'));
  const assertionOf = (xml: string): string =>
    /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
  const forge = (assertion: string): string =>
    assertion
      .replace(/<ds:Signature.*<\/ds:Signature>/s, '')
      .replace(/<saml:NameID([^>]*)>[^<]*/, '<saml:NameID$1>admin')
      .replace(/ ID="[^"]*"/, ' ID="_forged"');

  it.each<[string, (address: URL) => Promise<Record<string, string>>]>([
    ['unsigned', (address) => idp.answer(address, someone(), 'none')],
    ['signed by somebody else', (address) => thief.answer(address, someone())],
    [
      'changed after it was signed',
      async (address) =>
        rewrite(await idp.answer(address, someone()), (xml) =>
          xml.replace(/(<saml:NameID[^>]*>)[^<]*/, '$1admin'),
        ),
    ],
    [
      'whose signature was taken off',
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
      'wrapped: a forged assertion that holds the signed one',
      async (address) =>
        rewrite(await idp.answer(address, someone()), (xml) => {
          const signed = assertionOf(xml);
          const forged = forge(signed).replace('</saml:Assertion>', `${signed}</saml:Assertion>`);
          return xml.replace(signed, forged);
        }),
    ],
    [
      'wrapped: the signature moved to a forged assertion, the signed one in an Object of it',
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
      'wrapped: two elements with one ID',
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
      'with a document type',
      async (address) =>
        rewrite(
          await idp.answer(address, someone()),
          (xml) => `<!DOCTYPE r [<!ENTITY a "b">]>${xml}`,
        ),
    ],
    ['that is no XML', async (address) => rewrite(await idp.answer(address), () => 'hello')],
  ])('%s is refused', async (_what, make) => {
    const before = await sessions();
    const end = await post(await make(await begin()));
    expect(fragmentOf(end).error_code).toBe('saml_assertion_invalid');
    expect(await sessions()).toBe(before);
  });

  it('does not make a comment part of a name', async () => {
    const person = someone();
    const form = rewrite(await idp.answer(await begin(), person), (xml) =>
      xml.replace(
        `>${person.NameID}<`,
        `>${person.NameID?.slice(0, 8)}<!---->${person.NameID?.slice(8)}<`,
      ),
    );
    // Canonical XML has no comments, so the signature holds: the name must be the whole one.
    const end = await post(form);
    expect((await userOf(end)).identities?.[0]?.id).toBe(person.NameID);
  });

  it('is taken once for each request, also of two at once', async () => {
    const form = await idp.answer(await begin(), someone());
    const ends = await Promise.all(Array.from({ length: 4 }, () => post(form)));
    expect(ends.filter((end) => fragmentOf(end).access_token)).toHaveLength(1);
    const late = await post(form);
    expect(fragmentOf(late).error_code).toBe('saml_relay_state_not_found');
    // Nor for a request of the thief's own.
    const other = await begin();
    const replayed = await post({
      ...form,
      RelayState: other.searchParams.get('RelayState') ?? '',
    });
    expect(fragmentOf(replayed).error_code).toBe('saml_assertion_invalid');
  });

  it('comes too late after five minutes', async () => {
    const form = await idp.answer(await begin(), someone());
    await owner.query(
      `update auth.saml_relay_states set created_at = created_at - interval '301 seconds' where id = $1`,
      [form.RelayState],
    );
    expect(fragmentOf(await post(form)).error_code).toBe('saml_relay_state_expired');
  });

  it('without a request is refused, unless the setting allows it; and even then it works once', async () => {
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
      // An answer to a request of somebody else is no beginning.
      const stolen = await idp.answer(await begin(), someone());
      expect(fragmentOf(await post({ ...stolen, RelayState: '' })).error_code).toBe(
        'saml_assertion_invalid',
      );
    } finally {
      saml.allow_idp_initiated = false;
    }
  });
});

describe('the list of identity providers', () => {
  const other = (name: string) => identityProvider(`https://${name}.example`, ownMetadata).metadata;

  it('is the service key’s alone', async () => {
    for (const key of [server.context.keys.anonKey, 'x']) {
      expect((await admin('GET', '', undefined, key)).status).toBe(403);
    }
  });

  it('holds what was added, until it is deleted', async () => {
    const { status, body } = await admin('POST', '', { type: 'saml', metadata_xml: other('made') });
    expect(status).toBe(201);
    expect(body).toMatchObject({ saml: { entity_id: 'https://made.example' }, domains: [] });
    const path = `/${body.id}`;
    const changed = await admin('PUT', path, { domains: ['made.example'], disabled: true });
    expect(changed.body).toMatchObject({ disabled: true, domains: [{ domain: 'made.example' }] });
    expect((await admin('GET', path)).body).toEqual(changed.body);
    const off = await server.client().auth.signInWithSSO({ domain: 'made.example' });
    expect(off.error?.code).toBe('sso_provider_not_found');
    expect((await admin('DELETE', path)).status).toBe(200);
    expect((await admin('GET', path)).body).toMatchObject({ code: 'sso_provider_not_found' });
    const { body: list } = await admin('GET', '');
    expect(list.items).toMatchObject([{ id: providerId }]);
  });

  it.each<[string, object, number, string]>([
    ['another type', { type: 'oidc' }, 400, 'validation_failed'],
    ['no metadata', { type: 'saml' }, 400, 'validation_failed'],
    ['metadata that is none', { type: 'saml', metadata_xml: '<a/>' }, 400, 'validation_failed'],
    ['metadata that is no XML', { type: 'saml', metadata_xml: 'a' }, 400, 'validation_failed'],
    ['our own metadata', { type: 'saml', metadata_xml: ownMetadata }, 400, 'validation_failed'],
    [
      'a plain http address',
      { type: 'saml', metadata_url: 'http://a.example' },
      400,
      'validation_failed',
    ],
    [
      'a dead address',
      { type: 'saml', metadata_url: 'http://127.0.0.1:9' },
      400,
      'saml_metadata_fetch_failed',
    ],
    [
      'a provider that is there',
      { type: 'saml', metadata_xml: idp.metadata },
      422,
      'saml_idp_already_exists',
    ],
    [
      'a domain that is taken',
      { type: 'saml', metadata_xml: other('b'), domains: ['idp.test.example'] },
      422,
      'sso_domain_already_exists',
    ],
    [
      'a domain that is none',
      { type: 'saml', metadata_xml: other('c'), domains: ["a'b"] },
      400,
      'bad_json',
    ],
  ])('refuses %s', async (_what, body, status, code) => {
    expect(await admin('POST', '', body)).toMatchObject({ status, body: { code } });
  });

  it('does not let a provider become another', async () => {
    const { status, body } = await admin('PUT', `/${providerId}`, { metadata_xml: other('d') });
    expect([status, body.code]).toEqual([400, 'saml_entity_id_mismatch']);
  });

  it('ends the sessions of a provider that is switched off', async () => {
    const made = await admin('POST', '', {
      type: 'saml',
      metadata_xml: other('e'),
      domains: ['e.example'],
    });
    const { data } = await server.client().auth.signInWithSSO({ domain: 'e.example' });
    const its = identityProvider('https://e.example', ownMetadata);
    const end = await post(await its.answer(new URL(data?.url ?? ''), someone()));
    await userOf(end);
    await admin('PUT', `/${made.body.id}`, { disabled: true });
    await expect(userOf(end)).rejects.toMatchObject({ name: 'AuthSessionMissingError' });
  });
});
