// A set of keys: signs with the first, verifies with all.
import {
  createLocalJWKSet,
  errors,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import { StartError } from '../start-error.ts';
import { type GatewayKeys, gatewayExchange } from './gateway-keys.ts';
import { TokenCache } from './token-cache.ts';

/** Tolerated clock difference in seconds, as in PostgREST (docs "Authentication"). */
const SKEW_S = 30;

export interface KeyRing {
  sign(claims: JWTPayload): Promise<string>;
  verify(token: string): Promise<JWTPayload>;
  jwks: { keys: JWK[] };
  anonKey: string;
  serviceKey: string;
  /** @returns the JWT of an opaque key; other texts unchanged */
  exchange(token: string): string;
}

function publicPart(key: JWK): JWK {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, oth: _oth, ...open } = key;
  return { ...open, use: 'sig', key_ops: ['verify'] };
}

/**
 * @param all private keys, the signing one first
 * @param jwtSecret HS256 secret that is accepted too, and signs the anon and service keys
 * @param gateway opaque keys for the anon and the service key
 */
export async function keyRing(
  all: JWK[],
  jwtSecret: string | undefined,
  gateway: GatewayKeys,
): Promise<KeyRing> {
  const isSymmetric = (key: JWK): boolean => key.kty === 'oct';
  const jwks = { keys: all.filter((key) => !isSymmetric(key)).map(publicPart) };
  const secret = jwtSecret ? new TextEncoder().encode(jwtSecret) : undefined;
  const [current] = all;
  if (current === undefined) throw new StartError('There is no signing key.');
  const signing = await importJWK(current, current.alg);
  const open = createLocalJWKSet(jwks);
  const cache = new TokenCache();

  const sign = (claims: JWTPayload): Promise<string> =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: current.alg ?? 'ES256', kid: current.kid ?? '', typ: 'JWT' })
      .sign(signing);

  // Valid for ten years from the start of this year, so that they are the same after a restart.
  const year = new Date().getUTCFullYear();
  const lifetime = { iat: Date.UTC(year) / 1000, exp: Date.UTC(year + 10) / 1000 };
  const apiKey = (role: string): Promise<string> => {
    const claims = { iss: 'supabase', role, ...lifetime };
    if (secret === undefined) return sign(claims);
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(secret);
  };

  const anonKey = await apiKey('anon');
  const serviceKey = await apiKey('service_role');
  const exchange = gatewayExchange(gateway, { anonKey, serviceKey });

  return {
    sign,
    jwks,
    anonKey,
    serviceKey,
    exchange,
    verify: (shown) => {
      const token = exchange(shown);
      return cache.get(token, async () => {
        const options = { clockTolerance: SKEW_S };
        const { payload } = await jwtVerify(
          token,
          async (header, input) => {
            if (header.alg !== 'HS256') return open(header, input);
            if (secret === undefined) throw new errors.JWKSNoMatchingKey();
            return secret;
          },
          { ...options, algorithms: ['ES256', 'RS256', 'HS256'] },
        );
        return payload;
      });
    },
  };
}
