import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { queryOf, readBody, text } from '../input/json.ts';
import { redirectOf } from '../input/redirect.ts';
import { addressOf } from '../protection/address.ts';
import { beginProviderFlow } from '../providers/flow.ts';
import { refreshMetadata } from '../saml/metadata.ts';
import { rememberRequest } from '../saml/relay-state.ts';
import { ownMetadata, requireSaml, samlFor } from '../saml/service-provider.ts';
import { providerByDomain, providerById, type SsoProvider } from '../saml/store.ts';
import type { Endpoint, Service } from '../service.ts';
import { challengeFields, challengeOf } from '../tokens/pkce.ts';

// POST /sso: starts a sign-in with the identity provider of an organisation.
const Body = z.object({
  provider_id: text,
  domain: text,
  redirect_to: text,
  skip_http_redirect: z.boolean().nullish(),
  ...challengeFields,
});
type Body = z.output<typeof Body>;
const Uuid = z.guid();

export const singleSignOn: Endpoint = async (service, request, reply) => {
  requireSaml(service);
  const body = readBody(request, Body);
  const challenge = challengeOf(body.code_challenge, body.code_challenge_method);
  await service.limits.signIn(addressOf(request));
  const provider = await providerOf(service, body);
  const redirectTo = redirectOf(service.context, request, body.redirect_to);
  const requestId = `_${crypto.randomUUID()}`;
  const saml = await samlFor(service, provider, requestId);
  const relayState = await transaction(service.pool, async (db) => {
    const pkceFlow = challenge === undefined ? null : crypto.randomUUID();
    if (pkceFlow !== null) {
      const method = 'sso/saml' as const;
      await beginProviderFlow(db, {
        id: pkceFlow,
        provider: `sso:${provider.id}`,
        method,
        redirectTo,
        challenge,
      });
    }
    return rememberRequest(db, { providerId: provider.id, requestId, redirectTo, pkceFlow });
  });
  const url = await saml.getAuthorizeUrlAsync(relayState, undefined, {});
  keepFresh(service, request, provider);
  if (body.skip_http_redirect === true) return { url };
  return reply.redirect(url, 303);
};

/** @throws AuthError 400 without id and domain, 404 for an unknown or disabled provider */
async function providerOf(
  { pool }: Service,
  { provider_id: id, domain }: Body,
): Promise<SsoProvider> {
  if (id === '' && domain === '') {
    throw refusals.invalid('A provider_id or domain needs to be provided');
  }
  if (id !== '') {
    const provider = Uuid.safeParse(id).success ? await providerById(pool, id) : undefined;
    if (provider === undefined || provider.disabled) throw refusals.noSsoProvider();
    return provider;
  }
  const provider = await providerByDomain(pool, domain);
  if (provider === undefined || provider.disabled) throw refusals.noSsoProviderOfDomain();
  return provider;
}

function keepFresh(service: Service, request: FastifyRequest, provider: SsoProvider): void {
  service.later(request, () => refreshMetadata(service, provider));
}

// GET /sso/saml/metadata: our metadata, for the administrator of an identity provider.
export const samlMetadata: Endpoint = async (service, request, reply) => {
  requireSaml(service);
  if (queryOf(request, 'download') === 'true') {
    reply.header('content-disposition', 'attachment; filename="metadata.xml"');
  }
  return reply
    .type('application/xml')
    .header('cache-control', 'public, max-age=600')
    .send(ownMetadata(service));
};
