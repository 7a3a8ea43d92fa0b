import * as oidc from 'openid-client';
import { type Db, sql } from '../database.ts';
import { readQuery } from '../input/parse.ts';
import { resolveRedirect } from '../input/redirect.ts';
import type { Call } from '../service.ts';
import { type Challenge, type ProviderTokens, readChallenge } from '../tokens/pkce.ts';
import { buildCallback, type Provider, requireProvider } from './provider.ts';

/** Query parameters that callers can't set: those that make the redirect safe, and those meant for us. */
const OURS = new Set(
  [
    'apikey client_id client_secret code_challenge code_challenge_method flow_type invite_token',
    'nonce provider redirect_to redirect_uri registration request request_uri',
    'response_mode response_type scope scopes skip_http_redirect state',
  ].flatMap((line) => line.split(' ')),
);

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
export async function readBeginning(call: Call): Promise<Beginning> {
  const provider = requireProvider(call, readQuery(call, 'provider'));
  const challenge = readChallenge({
    code_challenge: readQuery(call, 'code_challenge'),
    code_challenge_method: readQuery(call, 'code_challenge_method'),
  });
  await call.limits.signIn(call.address);
  return { provider, challenge, redirectTo: resolveRedirect(call) };
}

/**
 * @param request its query may contain `scopes` and parameters for the provider, such as `prompt` or `login_hint`
 * @returns the address to redirect to
 * @throws AuthError provider_unavailable
 */
export async function beginSignIn(
  call: Call,
  { provider, redirectTo, challenge, linkTo }: Beginning,
): Promise<URL> {
  const configuration = await call.discovery.of(provider);
  const id = crypto.randomUUID();
  const codeVerifier = oidc.randomPKCECodeVerifier();
  const nonce = provider.skipNonceCheck ? undefined : oidc.randomNonce();
  await beginProviderFlow(call.pool, {
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
    ...extrasOf(call),
    redirect_uri: buildCallback(call, provider),
    scope: scopesOf(provider, readQuery(call, 'scopes')),
    state: id,
    ...(nonce === undefined ? {} : { nonce }),
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
}

function extrasOf(call: Call): Record<string, string> {
  const { query } = call.request;
  if (typeof query !== 'object' || query === null) return {};
  return Object.fromEntries(
    Object.keys(query)
      .filter((key) => !OURS.has(key.toLowerCase()))
      .map((key) => [key, readQuery(call, key)]),
  );
}

function scopesOf(provider: Provider, wanted: string): string {
  return [...new Set([...provider.scopes, ...wanted.split(/[\s,]+/).filter(Boolean)])].join(' ');
}

// A sign-in in progress at a provider: started by a redirect, completed once by the callback, valid for five minutes.
const LIFETIME_S = 300;

export interface NewFlow {
  /** The `state` parameter. */
  id: string;
  provider: string;
  /** GoTrue's name of the authentication method. */
  method: 'oauth' | 'sso/saml';
  redirectTo: string;
  /** Undefined for the implicit flow. */
  challenge?: Challenge | undefined;
  /** Account to link the identity to. */
  linkTo?: string | undefined;
  /** Our own PKCE verifier towards the provider. */
  nonce?: string | undefined;
  codeVerifier?: string | undefined;
}

export interface Flow {
  id: string;
  provider: string;
  redirectTo: string;
  isPkce: boolean;
  linkTo: string | null;
  nonce: string | null;
  codeVerifier: string | null;
}

export async function beginProviderFlow(db: Db, flow: NewFlow): Promise<void> {
  await db.query(
    `delete from auth.flow_state where id in (
       select id from auth.flow_state
       where provider_type <> 'email' and created_at < now() - interval '15 minutes'
       order by created_at limit 50 for update skip locked)`,
  );
  await db.query(sql`
    insert into auth.flow_state (id, provider_type, authentication_method, code_challenge, code_challenge_method,
      referrer, linking_target_id, provider_nonce, provider_code_verifier, created_at, updated_at)
    values (${flow.id}, ${flow.provider}, ${flow.method}, ${flow.challenge?.challenge},
      ${flow.challenge?.method}, ${flow.redirectTo}, ${flow.linkTo}, ${flow.nonce}, ${flow.codeVerifier},
      now(), now())`);
}

/**
 * Consumes the state: of two concurrent callbacks, one gets it.
 * @returns undefined for an unknown, used or expired state
 */
export async function takeFlow(db: Db, id: string): Promise<Flow | undefined> {
  const { rows } = await db.query<Flow>(sql`
    update auth.flow_state set state_used_at = now(), updated_at = now()
    where id = ${id} and state_used_at is null and referrer is not null
      and created_at > now() - make_interval(secs => ${LIFETIME_S})
    returning id, provider_type as provider, referrer as "redirectTo", code_challenge is not null as "isPkce",
      linking_target_id as "linkTo", provider_nonce as nonce, provider_code_verifier as "codeVerifier"`);
  return rows[0];
}

/** Completes a PKCE flow. @returns the code that the client exchanges for its session */
export async function issueProviderCode(
  db: Db,
  flowId: string,
  userId: string,
  tokens: ProviderTokens,
): Promise<string> {
  const code = crypto.randomUUID();
  await db.query(sql`
    update auth.flow_state set user_id = ${userId}, auth_code = ${code}, auth_code_issued_at = now(),
      provider_access_token = ${tokens.accessToken}, provider_refresh_token = ${tokens.refreshToken},
      provider_nonce = null, provider_code_verifier = null, updated_at = now()
    where id = ${flowId}`);
  return code;
}
