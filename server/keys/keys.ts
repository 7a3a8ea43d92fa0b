// Signs and verifies tokens: an asymmetric key made at first start, keys handed in, and an HS256 secret beside them.

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  createLocalJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import { type GatewayKeys, gatewayExchange, openGatewayKeys } from './gateway-keys.ts';
import { TokenCache } from './token-cache.ts';

const PrivateKeys = z.object({
  keys: z.array(z.looseObject({ kid: z.string(), alg: z.string(), kty: z.string() })).min(1),
});

/** Tolerated difference of clocks, seconds (PROTOCOL.md 2.10). */
const SKEW_S = 30;

export interface Keys {
  /** @returns a token signed by the present key, or by the HS256 secret for anon and service keys */
  sign(claims: JWTPayload): Promise<string>;
  /**
   * Verifies signature and times of a token, or of the one that a gateway key stands for. Verified tokens are remembered until they expire.
   * @throws jose's errors, which name what is wrong
   */
  verify(token: string): Promise<JWTPayload>;
  /** Public keys for `.well-known/jwks.json`. */
  jwks: { keys: JWK[] };
  anonKey: string;
  serviceKey: string;
  /** Opaque keys that stand for the anon and the service key. */
  gateway: GatewayKeys;
  /** @returns the token that a gateway key stands for; any other text as it is */
  exchange(token: string): string;
}

async function generated(dataDir: string): Promise<JWK[]> {
  const file = path.join(dataDir, 'keys', 'jwt.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) return PrivateKeys.parse(JSON.parse(text)).keys;
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = {
    ...(await exportJWK(privateKey)),
    kid: crypto.randomUUID(),
    alg: 'ES256',
    use: 'sig',
  };
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // Written beside and moved: a crash must not leave half a key.
  await writeFile(`${file}.new`, JSON.stringify({ keys: [key] }), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return [key];
}

function givenKeys(text: string): JWK[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return PrivateKeys.parse(Array.isArray(parsed) ? { keys: parsed } : parsed).keys;
  } catch {
    throw new StartError(
      'JWT_KEYS is not a JWKS of signing keys with kid and alg. Correct it, or remove it to use the generated key.',
    );
  }
}

function publicPart(key: JWK): JWK {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, oth: _oth, ...open } = key;
  return { ...open, use: 'sig', key_ops: ['verify'] };
}

/** @param dataDir where the generated key lives, mode 0600 */
export async function openKeys(
  config: Pick<Config, 'dataDir' | 'jwtKeys' | 'jwtSecret'>,
): Promise<Keys> {
  const all = config.jwtKeys ? givenKeys(config.jwtKeys) : await generated(config.dataDir);
  const isSymmetric = (key: JWK): boolean => key.kty === 'oct';
  const jwks = { keys: all.filter((key) => !isSymmetric(key)).map(publicPart) };
  const secret = config.jwtSecret ? new TextEncoder().encode(config.jwtSecret) : undefined;
  const [current] = all;
  if (current === undefined) throw new StartError('There is no signing key.');
  const signing = await importJWK(current, current.alg);
  const open = createLocalJWKSet(jwks);
  const cache = new TokenCache();

  const sign = (claims: JWTPayload): Promise<string> =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: current.alg ?? 'ES256', kid: current.kid ?? '', typ: 'JWT' })
      .sign(signing);

  // Long-lived, as a Supabase project's are: ten years from the first of this year, so a restart changes nothing.
  const year = new Date().getUTCFullYear();
  const lifetime = { iat: Date.UTC(year) / 1000, exp: Date.UTC(year + 10) / 1000 };
  const apiKey = (role: string): Promise<string> => {
    const claims = { iss: 'statesman', role, ...lifetime };
    if (secret === undefined) return sign(claims);
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(secret);
  };

  const anonKey = await apiKey('anon');
  const serviceKey = await apiKey('service_role');
  const gateway = await openGatewayKeys(config);
  const exchange = gatewayExchange(gateway, { anonKey, serviceKey });

  return {
    sign,
    jwks,
    anonKey,
    serviceKey,
    gateway,
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
