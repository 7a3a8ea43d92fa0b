// The address of a provider's sign-in page; state, nonce and PKCE verifier are stored for the callback.
import type { FastifyRequest } from 'fastify';
import * as oidc from 'openid-client';
import { queryOf } from '../input/json.ts';
import { redirectOf } from '../input/redirect.ts';
import { addressOf } from '../protection/address.ts';
import type { Service } from '../service.ts';
import { type Challenge, challengeOf } from '../tokens/pkce.ts';
import { beginProviderFlow } from './flow.ts';
import { callbackOf, type Provider, requireProvider } from './provider.ts';

/** Query parameters that callers can't set: those that make the redirect safe, and those meant for us. */
const OURS = new Set([
  'apikey',
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'flow_type',
  'invite_token',
  'nonce',
  'provider',
  'redirect_to',
  'redirect_uri',
  'registration',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'scopes',
  'skip_http_redirect',
  'state',
]);

export interface Beginning {
  provider: Provider;
  /** Where the browser ends; validated. */
  redirectTo: string;
  challenge?: Challenge | undefined;
  /** Account to link the identity to. */
  linkTo?: string | undefined;
}

/**
 * Reads provider, PKCE challenge and redirect from the query, and counts the request against the sign-in limit.
 * @throws AuthError for an unknown provider, an invalid challenge or too many requests
 */
export async function readBeginning(service: Service, request: FastifyRequest): Promise<Beginning> {
  const provider = requireProvider(service, queryOf(request, 'provider'));
  const challenge = challengeOf(
    queryOf(request, 'code_challenge'),
    queryOf(request, 'code_challenge_method'),
  );
  await service.limits.signIn(addressOf(request));
  return { provider, challenge, redirectTo: redirectOf(service.context, request) };
}

/**
 * @param request its query may contain `scopes` and parameters for the provider, such as `prompt` or `login_hint`
 * @returns the address to redirect to
 * @throws AuthError provider_unavailable
 */
export async function beginSignIn(
  service: Service,
  request: FastifyRequest,
  { provider, redirectTo, challenge, linkTo }: Beginning,
): Promise<URL> {
  const configuration = await service.discovery.of(provider);
  const id = crypto.randomUUID();
  const codeVerifier = oidc.randomPKCECodeVerifier();
  const nonce = provider.skipNonceCheck ? undefined : oidc.randomNonce();
  await beginProviderFlow(service.pool, {
    id,
    provider: provider.name,
    method: 'oauth',
    redirectTo,
    challenge,
    linkTo,
    nonce,
    codeVerifier,
  });
  return oidc.buildAuthorizationUrl(configuration, {
    ...extrasOf(request),
    redirect_uri: callbackOf(service, provider),
    scope: scopesOf(provider, queryOf(request, 'scopes')),
    state: id,
    ...(nonce === undefined ? {} : { nonce }),
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
}

function extrasOf(request: FastifyRequest): Record<string, string> {
  const { query } = request;
  if (typeof query !== 'object' || query === null) return {};
  return Object.fromEntries(
    Object.keys(query)
      .filter((key) => !OURS.has(key.toLowerCase()))
      .map((key) => [key, queryOf(request, key)]),
  );
}

function scopesOf(provider: Provider, wanted: string): string {
  return [...new Set([...provider.scopes, ...wanted.split(/[\s,]+/).filter(Boolean)])].join(' ');
}
