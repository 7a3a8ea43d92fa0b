import { describe, expect, it } from 'vitest';
import { fragmentOf, redirectOf } from '#tests/support/browser-redirects.ts';
import { identityProvider } from '#tests/support/identity-provider.ts';
import { projectWith } from '#tests/support/project.ts';
import { testServer } from '#tests/support/server.ts';
import { adminOf } from '#tests/support/sso-admin.ts';

const server = await testServer({
  LOG_LEVEL: 'fatal',
  PROJECT_DIR: await projectWith({}, '[auth.saml]\nenabled = true'),
});
const AUTH = `${server.url}/auth/v1`;
const ownMetadata = await (await fetch(`${AUTH}/sso/saml/metadata`)).text();
const idp = identityProvider('https://idp.test.example/metadata', ownMetadata);
const admin = adminOf(server);
const added = await admin('POST', '', {
  type: 'saml',
  metadata_xml: idp.metadata,
  domains: ['idp.test.example'],
});
const providerId = String(added.body.id);

describe('the SAML provider API', () => {
  const other = (name: string) => identityProvider(`https://${name}.example`, ownMetadata).metadata;

  it('needs the service key', async () => {
    for (const key of [server.context.keys.anonKey, 'x']) {
      expect((await admin('GET', '', undefined, key)).status).toBe(403);
    }
  });

  it('creates, lists, updates and deletes a provider', async () => {
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
    ['invalid metadata', { type: 'saml', metadata_xml: '<a/>' }, 400, 'validation_failed'],
    ['metadata that is not XML', { type: 'saml', metadata_xml: 'a' }, 400, 'validation_failed'],
    ['our own metadata', { type: 'saml', metadata_xml: ownMetadata }, 400, 'validation_failed'],
    [
      'a plain http URL',
      { type: 'saml', metadata_url: 'http://a.example' },
      400,
      'validation_failed',
    ],
    [
      'an unreachable URL',
      { type: 'saml', metadata_url: 'http://127.0.0.1:9' },
      400,
      'saml_metadata_fetch_failed',
    ],
    [
      'a provider that exists',
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
      'an invalid domain',
      { type: 'saml', metadata_xml: other('c'), domains: ["a'b"] },
      400,
      'bad_json',
    ],
  ])('rejects %s', async (_what, body, status, code) => {
    expect(await admin('POST', '', body)).toMatchObject({ status, body: { code } });
  });

  it('does not let an update change the entity id', async () => {
    const { status, body } = await admin('PUT', `/${providerId}`, { metadata_xml: other('d') });
    expect([status, body.code]).toEqual([400, 'saml_entity_id_mismatch']);
  });

  it('ends the sessions of a provider that is disabled', async () => {
    const made = await admin('POST', '', {
      type: 'saml',
      metadata_xml: other('e'),
      domains: ['e.example'],
    });
    const { data } = await server.client().auth.signInWithSSO({ domain: 'e.example' });
    const its = identityProvider('https://e.example', ownMetadata);
    const form = await its.answer(new URL(data?.url ?? ''));
    const end = await redirectOf(`${AUTH}/sso/saml/acs`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const token = fragmentOf(end).access_token;
    expect((await server.client().auth.getUser(token)).error).toBeNull();
    await admin('PUT', `/${made.body.id}`, { disabled: true });
    const { error } = await server.client().auth.getUser(token);
    expect(error?.name).toBe('AuthSessionMissingError');
  });
});
