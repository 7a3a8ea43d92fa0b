// A set of keys: signs with the first, verifies with all.
import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  importJWK,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
  SignJWT,
} from 'jose';
import { StartError } from '../start-error.ts';
import { type GatewayKeys, gatewayExchange } from './key-files.ts';

/** Tolerated clock difference in seconds, as in PostgREST (docs "Authentication"). */
const SKEW_S = 30;

export interface KeyRing {
  /** @returns a token signed by the current key; anon and service keys by the HS256 secret, if there is one */
  sign(claims: JWTPayload): Promise<string>;
  /**
   * Verifies signature and times of a token or an opaque key. Verified tokens are cached until they expire.
   * @throws jose's errors
   */
  verify(token: string): Promise<JWTPayload>;
  /** Public keys for `.well-known/jwks.json`. */
  readonly jwks: { keys: JWK[] };
  readonly anonKey: string;
  readonly serviceKey: string;
  /** @returns the JWT of an opaque key; other texts unchanged */
  exchange(token: string): string;
}

/** Whether `verify` rejected the token; other errors are the server's. */
export const isInvalidToken = (error: unknown): error is Error =>
  error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError;

function publicPart(key: JWK): JWK {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, oth: _oth, ...open } = key;
  return { ...open, use: 'sig', key_ops: ['verify'] };
}

type SharedKey = CryptoKey | Uint8Array;

/** Tries further keys in turn. @throws the error of the last one, at first that of the key before them */
async function verifiedWith(
  token: string,
  options: JWTVerifyOptions,
  [key, ...others]: SharedKey[],
  error: unknown,
): Promise<JWTVerifyResult> {
  if (key === undefined || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
  return jwtVerify(token, key, options).catch((next: unknown) =>
    verifiedWith(token, options, others, next),
  );
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
  const shared = await Promise.all(
    all.filter(isSymmetric).map(async (jwk) => ({
      kid: jwk.kid,
      key: await importJWK(jwk, 'HS256'),
    })),
  );

  /** Keys that may have signed a token with HS256: the one it names, else all. */
  const sharedKeys = (kid: string | undefined): SharedKey[] => {
    const known = shared
      .filter((one) => kid === undefined || one.kid === kid)
      .map(({ key }) => key);
    // A token of the secret names no key, or one that is not ours.
    return secret === undefined || (kid !== undefined && known.length > 0)
      ? known
      : [...known, secret];
  };
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
        const options = { clockTolerance: SKEW_S, algorithms: ['ES256', 'RS256', 'HS256'] };
        let others: SharedKey[] = [];
        const keyOf: JWTVerifyGetKey = async (header, input) => {
          if (header.alg !== 'HS256') return open(header, input);
          const [first, ...rest] = sharedKeys(header.kid);
          if (first === undefined) throw new errors.JWKSNoMatchingKey();
          others = rest;
          return first;
        };
        const verified = await jwtVerify(token, keyOf, options).catch((error: unknown) =>
          verifiedWith(token, options, others, error),
        );
        return verified.payload;
      });
    },
  };
}

// Caches verified tokens until they expire: verifying takes 150 microseconds.
const LIMIT = 5_000;

export class TokenCache {
  readonly #payloads = new Map<string, JWTPayload>();

  /** @param verify called for an uncached token; its errors are not cached */
  async get(token: string, verify: () => Promise<JWTPayload>): Promise<JWTPayload> {
    const known = this.#payloads.get(token);
    if (known !== undefined) {
      if (known.exp === undefined || known.exp * 1000 > Date.now()) return known;
      this.#payloads.delete(token);
      throw new errors.JWTExpired(
        '"exp" claim timestamp check failed',
        known,
        'exp',
        'check_failed',
      );
    }
    const payload = await verify();
    if (this.#payloads.size >= LIMIT) {
      const oldest = this.#payloads.keys().next();
      if (!oldest.done) this.#payloads.delete(oldest.value);
    }
    this.#payloads.set(token, payload);
    return payload;
  }
}
