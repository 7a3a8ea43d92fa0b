// Verifies an ID token that an app got from a provider itself (PROTOCOL.md 1.7, id_token).
import { createHash, timingSafeEqual } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { OAuthError } from '../errors/auth-error.ts';
import { refusals } from '../errors/catalogue.ts';
import type { Service } from '../service.ts';
import type { Provider } from './provider.ts';

/** Asymmetric only: a public key must never serve as the secret of an HMAC, and `none` is no signature. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const CLOCK_TOLERANCE_S = 30;

export const badToken = (): OAuthError => new OAuthError('invalid request', 'Bad ID token');

type KeySet = ReturnType<typeof createRemoteJWKSet>;
const keySets = new Map<string, KeySet>();

/** The provider's keys, fetched once and again when a token names an unknown one. */
function keysAt(address: string): KeySet {
  const known =
    keySets.get(address) ?? createRemoteJWKSet(new URL(address), { timeoutDuration: 5000 });
  keySets.set(address, known);
  return known;
}

/** Microsoft's common issuer stands for every tenant: `{tenantid}` is the token's own `tid`. */
function expectedIssuer(issuer: string, token: string): string {
  if (!issuer.includes('{tenantid}')) return issuer;
  const { tid } = decodeJwt(token);
  if (typeof tid !== 'string' || !/^[\w-]{1,64}$/.test(tid)) throw badToken();
  return issuer.replace('{tenantid}', tid);
}

/**
 * Checks signature, issuer, times and audience.
 * @throws OAuthError for a token that is not this provider's, or not for us; AuthError while its keys can't be fetched
 */
export async function verifyIdToken(
  service: Service,
  provider: Provider,
  token: string,
): Promise<{ claims: JWTPayload; algorithm: string }> {
  const { issuer, jwks_uri: address } = (await service.discovery.of(provider)).serverMetadata();
  if (address === undefined) throw refusals.providerUnavailable(provider.name);
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
    if (isUnreachable(error)) {
      throw refusals.providerUnavailable(provider.name, error);
    }
    if (error instanceof errors.JOSEError) throw badToken();
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

/** jose has no class of its own for a key set that answered with an error. */
function isUnreachable(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof errors.JWKSTimeout ||
    (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')
  );
}

/**
 * @param nonce what the app made up; the token holds its SHA-256 as hexadecimal digits
 * @throws OAuthError unless both have one that fits, or neither has one
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

/** @throws OAuthError when the ID token says that it came with another access token (OpenID Connect Core 3.1.3.8) */
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

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
