// Verifies an ID token that an app got from a provider.
import { createHash } from 'node:crypto';
import {
  createRemoteJWKSet,
  decodeJwt,
  type JWTPayload,
  errors as joseErrors,
  jwtVerify,
} from 'jose';
import { errors, OAuthError } from '../errors.ts';
import { isSame } from '../factors/codes.ts';
import type { Service } from '../service.ts';
import type { Provider } from './provider.ts';

/** Asymmetric only: a public key must never be used as an HMAC secret, and `none` is no signature (RFC 8725 section 3.1). */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const CLOCK_TOLERANCE_S = 30;

export const badToken = (): OAuthError => new OAuthError('invalid request', 'Bad ID token');

type KeySet = ReturnType<typeof createRemoteJWKSet>;
const keySets = new Map<string, KeySet>();

/** The provider's key set: cached, and refetched when a token names an unknown key. */
function keysAt(address: string): KeySet {
  const known =
    keySets.get(address) ?? createRemoteJWKSet(new URL(address), { timeoutDuration: 5000 });
  keySets.set(address, known);
  return known;
}

/** Microsoft's common issuer covers every tenant: `{tenantid}` is the token's `tid`. */
function expectedIssuer(issuer: string, token: string): string {
  if (!issuer.includes('{tenantid}')) return issuer;
  const { tid } = decodeJwt(token);
  if (typeof tid !== 'string' || !/^[\w-]{1,64}$/.test(tid)) throw badToken();
  return issuer.replace('{tenantid}', tid);
}

/**
 * Checks signature, issuer, times and audience (OpenID Connect Core 3.1.3.7).
 * @throws OAuthError for a token that is not from this provider or not for us; AuthError while its keys can't be fetched
 */
export async function verifyIdToken(
  service: Service,
  provider: Provider,
  token: string,
): Promise<{ claims: JWTPayload; algorithm: string }> {
  const { issuer, jwks_uri: address } = (await service.discovery.of(provider)).serverMetadata();
  if (address === undefined) throw errors.providerUnavailable(provider.name);
  let claims: JWTPayload;
  let algorithm: string;
  try {
    const verified = await jwtVerify(token, keysAt(address), {
      algorithms: ALGORITHMS,
      issuer: expectedIssuer(issuer, token),
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ['sub', 'aud', 'exp', 'iat'],
    });
    claims = verified.payload;
    algorithm = verified.protectedHeader.alg;
  } catch (error) {
    if (error instanceof OAuthError) throw error;
    if (isUnreachable(error)) throw errors.providerUnavailable(provider.name, error);
    if (error instanceof joseErrors.JOSEError) throw badToken();
    throw error;
  }
  const audience = [claims.aud ?? []].flat();
  if (!audience.some((one) => provider.clientIds.includes(one))) {
    throw new OAuthError(
      'invalid request',
      `Unacceptable audience in id_token: [${audience.join(' ')}]`,
    );
  }
  return { claims, algorithm };
}

/** jose has no error class for a failed response of a key set. */
function isUnreachable(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof joseErrors.JWKSTimeout ||
    (error instanceof joseErrors.JOSEError && error.code === 'ERR_JOSE_GENERIC')
  );
}

/**
 * @param nonce chosen by the app; the token contains its SHA-256 in hexadecimal
 * @throws OAuthError unless both match, or both are missing
 */
export function requireNonce(claims: JWTPayload, nonce: string): void {
  const held = typeof claims.nonce === 'string' ? claims.nonce : '';
  if ((held === '') !== (nonce === '')) {
    throw new OAuthError(
      'invalid request',
      'Passed nonce and nonce in id_token should either both exist or not.',
    );
  }
  const wanted = createHash('sha256').update(nonce).digest('hex');
  if (held !== '' && !isSame(held, wanted)) {
    throw new OAuthError('invalid nonce', 'Nonces mismatch');
  }
}

/** @throws OAuthError if the ID token was issued with another access token (OpenID Connect Core 3.1.3.8) */
export function requireAccessToken(
  claims: JWTPayload,
  algorithm: string,
  accessToken: string,
): void {
  const { at_hash: held } = claims;
  if (accessToken === '' || typeof held !== 'string') return;
  const size = /(\d{3})$/.exec(algorithm)?.[1] ?? '512';
  const digest = createHash(`sha${size}`).update(accessToken).digest();
  if (!isSame(held, digest.subarray(0, digest.length / 2).toString('base64url'))) throw badToken();
}
