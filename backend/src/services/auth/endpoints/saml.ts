import { z } from 'zod';
import { transaction } from '../database.ts';
import { AuthError, authError, errors } from '../errors.ts';
import { arrive } from '../identities/arrive.ts';
import { readBody, readForm, readQuery, text } from '../input/parse.ts';
import { allowedRedirect, readSiteUrl, resolveRedirect } from '../input/redirect.ts';
import { audit } from '../protection/audit.ts';
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
import type { Call, Endpoint, Service } from '../service.ts';
import { landingWithError } from '../sessions/landing.ts';
import { challengeFields, readChallenge } from '../tokens/pkce.ts';

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

export const singleSignOn: Endpoint = async (call) => {
  requireSaml(call);
  const body = readBody(call, Body);
  const challenge = readChallenge(body);
  await call.limits.signIn(call.address);
  const provider = await providerOf(call, body);
  const redirectTo = resolveRedirect(call, body.redirect_to);
  const requestId = `_${crypto.randomUUID()}`;
  const saml = await samlFor(call, provider, requestId);
  const relayState = await transaction(call.pool, async (db) => {
    const pkceFlow = challenge && crypto.randomUUID();
    if (pkceFlow !== undefined) {
      const flow = { id: pkceFlow, provider: `sso:${provider.id}`, redirectTo, challenge };
      await beginProviderFlow(db, { ...flow, method: 'sso/saml' });
    }
    return rememberRequest(db, { providerId: provider.id, requestId, redirectTo, pkceFlow });
  });
  const url = await saml.getAuthorizeUrlAsync(relayState, undefined, {});
  call.later(() => refreshMetadata(call, provider));
  if (body.skip_http_redirect === true) return { url };
  return call.reply.redirect(url, 303);
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

// GET /sso/saml/metadata: our metadata, for the administrator of an identity provider.
export const samlMetadata: Endpoint = async (call) => {
  requireSaml(call);
  if (readQuery(call, 'download') === 'true') {
    call.reply.header('content-disposition', 'attachment; filename="metadata.xml"');
  }
  return call.reply
    .type('application/xml')
    .header('cache-control', 'public, max-age=600')
    .send(await ownMetadata(call));
};

// POST /sso/saml/acs: the browser returns from an identity provider. Always redirects, with a session, a code or an error.

/** Known before the response is verified. */
interface Way {
  redirectTo: string;
  providerId: string | undefined;
  requestId: string | undefined;
  pkceFlow: string | null | undefined;
}

export const samlConsumer: Endpoint = async (call) => {
  requireSaml(call);
  let way: Way | undefined;
  try {
    await call.limits.verification(call.address);
    const form = readForm(call);
    const response = form.get('SAMLResponse') ?? '';
    if (response === '') throw errors.invalid('SAMLResponse is missing');
    way = await wayOf(call, form.get('RelayState') ?? '', response);
    return call.reply.redirect(await follow(call, way, response), 303);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    await recordFailure(call, way?.providerId, error);
    const address = way?.redirectTo ?? readSiteUrl(call.context);
    return call.reply.redirect(landingWithError(address, error, true), 303);
  }
};

/** Our own RelayState is a uuid; any other value means an IdP-initiated sign-in. */
async function wayOf(service: Service, relayState: string, response: string): Promise<Way> {
  if (Uuid.safeParse(relayState).success) {
    return takeRequest(service.pool, relayState);
  }
  const { auth } = service.context.settings;
  if (!auth.saml.allow_idp_initiated) throw authError('unknownRelayState');
  const entityId = await claimedIssuer(response);
  const provider = entityId && (await providerByEntity(service.pool, entityId));
  return {
    redirectTo: allowedRedirect(
      relayState,
      readSiteUrl(service.context),
      auth.additional_redirect_urls,
    ),
    providerId: provider ? provider.id : undefined,
    requestId: undefined,
    pkceFlow: undefined,
  };
}

async function follow(
  call: Call,
  { providerId, requestId, redirectTo, pkceFlow }: Way,
  response: string,
): Promise<string> {
  const provider = providerId && (await providerById(call.pool, providerId));
  if (!provider || provider.disabled) throw authError('unknownIdentityProvider');
  const saml = await samlFor(call, provider, '_unused');
  const expected = { entityId: provider.entity_id, requestId };
  const answer = await verifyResponse(call, saml, response, expected);
  return arrive(call, personOfAnswer(provider, answer), {
    redirectTo,
    pkceFlow: pkceFlow ?? undefined,
    linkTo: null,
    method: 'sso/saml',
    mayLackEmail: false,
    tokens: {},
    before: (db) => useAssertion(db, provider.id, answer.assertionId, answer.expiresAt),
  });
}

async function recordFailure(
  call: Call,
  providerId: string | undefined,
  error: AuthError,
): Promise<void> {
  call.request.log.warn({ err: error.cause ?? error, provider: providerId }, 'SAML sign-in failed');
  // Anyone can post anything here: audit failures of known providers only.
  if (providerId === undefined) return;
  const traits = { provider: `sso:${providerId}`, reason: error.code };
  await audit(call.pool, call, 'login_failed', { is_sso_user: true }, traits);
}
