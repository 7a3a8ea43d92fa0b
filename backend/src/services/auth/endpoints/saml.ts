import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { transaction } from '../database.ts';
import { AuthError, authError, errors } from '../errors.ts';
import { arrive } from '../identities/arrive.ts';
import { formOf, queryOf, readBody, text } from '../input/parse.ts';
import { allowedRedirect, redirectOf, siteOf } from '../input/redirect.ts';
import { audit } from '../protection/audit.ts';
import { addressOf } from '../protection/caller.ts';
import { beginProviderFlow } from '../providers/flow.ts';
import { refreshMetadata } from '../saml/metadata.ts';
import { claimedIssuer, personOfAnswer, verifyResponse } from '../saml/response.ts';
import {
  ownMetadata,
  rememberRequest,
  requireSaml,
  samlFor,
  takeRequest,
  useAssertion,
} from '../saml/service-provider.ts';
import {
  providerByDomain,
  providerByEntity,
  providerById,
  type SsoProvider,
} from '../saml/store.ts';
import type { Endpoint, Service } from '../service.ts';
import { landingWithError } from '../sessions/landing.ts';
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
    throw errors.invalid('A provider_id or domain needs to be provided');
  }
  if (id !== '') {
    const provider = Uuid.safeParse(id).success ? await providerById(pool, id) : undefined;
    if (provider === undefined || provider.disabled) throw authError('noSsoProvider');
    return provider;
  }
  const provider = await providerByDomain(pool, domain);
  if (provider === undefined || provider.disabled) throw authError('noSsoProviderOfDomain');
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

// POST /sso/saml/acs: the browser returns from an identity provider. Always redirects, with a session, a code or an error.
const RelayStateId = z.guid();

/** What we know before the response is verified. */
interface Way {
  redirectTo: string;
  providerId: string | undefined;
  requestId: string | undefined;
  pkceFlow: string | undefined;
}

export const samlConsumer: Endpoint = async (service, request, reply) => {
  requireSaml(service);
  let way: Way | undefined;
  try {
    await service.limits.verification(addressOf(request));
    const form = formOf(request);
    const response = form.get('SAMLResponse') ?? '';
    if (response === '') throw errors.invalid('SAMLResponse is missing');
    way = await wayOf(service, form.get('RelayState') ?? '', response);
    return reply.redirect(await follow(service, request, way, response), 303);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    await recordFailure(service, request, way?.providerId, error);
    const address = way?.redirectTo ?? siteOf(service.context);
    return reply.redirect(landingWithError(address, error, true), 303);
  }
};

/** Our own RelayState is a uuid; any other value means an IdP-initiated sign-in. */
async function wayOf(service: Service, relayState: string, response: string): Promise<Way> {
  if (RelayStateId.safeParse(relayState).success) {
    const { pkceFlow, ...state } = await takeRequest(service.pool, relayState);
    return { ...state, pkceFlow: pkceFlow ?? undefined };
  }
  const { auth } = service.context.settings;
  if (!auth.saml.allow_idp_initiated) throw authError('unknownRelayState');
  const entityId = await claimedIssuer(response);
  const provider =
    entityId === undefined ? undefined : await providerByEntity(service.pool, entityId);
  return {
    redirectTo: allowedRedirect(relayState, siteOf(service.context), auth.additional_redirect_urls),
    providerId: provider?.id,
    requestId: undefined,
    pkceFlow: undefined,
  };
}

async function follow(
  service: Service,
  request: FastifyRequest,
  { providerId, requestId, redirectTo, pkceFlow }: Way,
  response: string,
): Promise<string> {
  const provider =
    providerId === undefined ? undefined : await providerById(service.pool, providerId);
  if (provider === undefined || provider.disabled) throw authError('unknownIdentityProvider');
  const saml = await samlFor(service, provider, '_unused');
  const expected = { entityId: provider.entity_id, requestId };
  const answer = await verifyResponse(service, saml, response, expected);
  return arrive(service, request, personOfAnswer(provider, answer), {
    redirectTo,
    pkceFlow,
    linkTo: null,
    method: 'sso/saml',
    mayLackEmail: false,
    tokens: {},
    before: (db) => useAssertion(db, provider.id, answer.assertionId, answer.expiresAt),
  });
}

async function recordFailure(
  service: Service,
  request: FastifyRequest,
  providerId: string | undefined,
  error: AuthError,
): Promise<void> {
  request.log.warn({ err: error.cause ?? error, provider: providerId }, 'SAML sign-in failed');
  // Anyone can post anything here: audit failures of known providers only.
  if (providerId === undefined) return;
  const traits = { provider: `sso:${providerId}`, reason: error.code };
  await audit(service.pool, request, 'login_failed', { is_sso_user: true }, traits);
}
