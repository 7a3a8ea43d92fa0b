// Exchanges the callback's code at the provider and verifies everything: state, issuer, nonce, PKCE verifier, audience, times and
// signature of the ID token.
import * as oidc from 'openid-client';
import { ZodError } from 'zod';
import { AuthError, errors } from '../errors.ts';
import type { Service } from '../service.ts';
import type { ProviderTokens } from '../tokens/pkce.ts';
import type { Flow } from './flow.ts';
import { buildCallback, type Provider, type ProviderUser, toProviderUser } from './provider.ts';

export interface Exchanged {
  person: ProviderUser;
  tokens: ProviderTokens;
}

/** @param parameters of the callback; @throws AuthError bad_oauth_callback, provider_unavailable */
export function exchange(
  service: Service,
  provider: Provider,
  flow: Flow,
  parameters: URLSearchParams,
): Promise<Exchanged> {
  const work = () => exchangeCode(service, provider, flow, parameters);
  return service.context.tracing?.outgoing('identity provider', work) ?? work();
}

async function exchangeCode(
  service: Service,
  provider: Provider,
  flow: Flow,
  parameters: URLSearchParams,
): Promise<Exchanged> {
  const configuration = await service.discovery.of(provider);
  const url = new URL(buildCallback(service, provider));
  url.search = parameters.toString();
  const checks = {
    expectedState: flow.id,
    idTokenExpected: true,
    ...(flow.nonce === null ? {} : { expectedNonce: flow.nonce }),
    ...(flow.codeVerifier === null ? {} : { pkceCodeVerifier: flow.codeVerifier }),
  };
  try {
    const tokens = await grant(configuration, provider, url, checks);
    const claims = tokens.claims();
    if (claims === undefined) throw errors.unusableAnswer(provider.name);
    const more = await furtherClaims(configuration, tokens.access_token, claims);
    return {
      person: toProviderUser(provider.name, { ...more, ...claims }),
      tokens: { accessToken: tokens.access_token, refreshToken: tokens.refresh_token },
    };
  } catch (error) {
    throw explained(error, provider);
  }
}

/**
 * Many providers omit the address from the ID token. Userinfo is used only for the same subject, and its `email_verified`
 * only for the address in the ID token, if that has one.
 */
async function furtherClaims(
  configuration: oidc.Configuration,
  accessToken: string,
  claims: oidc.IDToken,
): Promise<object> {
  const isComplete =
    claims.email !== undefined && (claims.email_verified ?? claims.xms_edov) !== undefined;
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  const more = await oidc.fetchUserInfo(configuration, accessToken, claims.sub);
  if (claims.email === undefined || claims.email === more.email) return more;
  const { email_verified: _, xms_edov: __, ...rest } = more;
  return rest;
}

type Checks = NonNullable<Parameters<typeof oidc.authorizationCodeGrant>[2]>;

/** Some providers accept the secret in the body only. The refused request did not consume the code, so it is sent again. */
async function grant(
  configuration: oidc.Configuration,
  provider: Provider,
  url: URL,
  checks: Checks,
): ReturnType<typeof oidc.authorizationCodeGrant> {
  try {
    return await oidc.authorizationCodeGrant(configuration, url, checks);
  } catch (error) {
    const isRefused = error instanceof oidc.ResponseBodyError && error.error === 'invalid_client';
    if (!isRefused || provider.secret === '') throw error;
    const again = new oidc.Configuration(
      configuration.serverMetadata(),
      provider.clientIds[0],
      undefined,
      oidc.ClientSecretPost(provider.secret),
    );
    oidc.enableNonRepudiationChecks(again);
    if (provider.issuer.startsWith('http:')) oidc.allowInsecureRequests(again);
    return oidc.authorizationCodeGrant(again, url, checks);
  }
}

/** The user never sees the provider's response; the cause goes to the log. */
function explained(error: unknown, { name }: Provider): unknown {
  if (error instanceof AuthError) return error;
  if (error instanceof oidc.ResponseBodyError) return errors.codeNotExchanged(name, error);
  if (isUnreachable(error)) return errors.providerUnavailable(name, error);
  if (error instanceof oidc.ClientError || error instanceof ZodError) {
    return errors.unusableAnswer(name, error);
  }
  return error;
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof TypeError) return error.message === 'fetch failed';
  if (!(error instanceof oidc.ClientError)) return false;
  const answer = error.cause;
  const isServerError = answer instanceof Response && answer.status >= 500;
  return error.code === 'OAUTH_TIMEOUT' || isServerError;
}
