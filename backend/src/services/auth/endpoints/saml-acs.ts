// POST /sso/saml/acs: the browser returns from an identity provider. Always redirects, with a session, a code or an error.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AuthError } from '../errors/auth-error.ts';
import { refusals } from '../errors/catalogue.ts';
import { arrive } from '../identities/arrive.ts';
import { formOf } from '../input/form.ts';
import { allowedRedirect, siteOf } from '../input/redirect.ts';
import { addressOf } from '../protection/address.ts';
import { audit } from '../protection/audit.ts';
import { personOfAnswer } from '../saml/person.ts';
import { takeRequest } from '../saml/relay-state.ts';
import { requireSaml, samlFor } from '../saml/service-provider.ts';
import { providerByEntity, providerById } from '../saml/store.ts';
import { useAssertion } from '../saml/used-assertions.ts';
import { claimedIssuer, verifyResponse } from '../saml/verify-response.ts';
import type { Endpoint, Service } from '../service.ts';
import { landingWithError } from '../sessions/landing.ts';

const Uuid = z.guid();

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
    if (response === '') throw refusals.invalid('SAMLResponse is missing');
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
  if (Uuid.safeParse(relayState).success) {
    const { pkceFlow, ...state } = await takeRequest(service.pool, relayState);
    return { ...state, pkceFlow: pkceFlow ?? undefined };
  }
  const { auth } = service.context.settings;
  if (!auth.saml.allow_idp_initiated) throw refusals.unknownRelayState();
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
  if (provider === undefined || provider.disabled) throw refusals.unknownIdentityProvider();
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
