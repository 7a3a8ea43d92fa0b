// Signs and verifies JWTs with generated or given keys, and optionally an HS256 secret.
import type { JWK } from 'jose';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import { type GatewayKeys, openGatewayKeys, readKeys, readMark, usableKeys } from './key-files.ts';
import { type KeyRing, keyRing } from './key-ring.ts';

/** How often a running server checks for rotated keys. */
const LOOK_MS = 1_000;

export interface Keys extends KeyRing {
  /** Opaque keys for the anon and the service key. */
  readonly gateway: GatewayKeys;
  /** Reloads keys that were rotated or retired. Runs once a second by itself. */
  reload(): Promise<void>;
  close(): void;
}

async function givenKeys(text: string): Promise<JWK[]> {
  try {
    const parsed: unknown = JSON.parse(text);
    return await usableKeys(Array.isArray(parsed) ? { keys: parsed } : parsed);
  } catch (error) {
    throw new StartError(
      'JWT_KEYS is not a JWKS of signing keys with kid and alg. Correct it, or remove it to use the generated key.',
      { cause: error },
    );
  }
}

/**
 * @param dataDir folder of the generated keys, mode 0600
 * @param onError called if rotated keys can't be read; the previous ones stay in use
 */
export async function openKeys(
  { dataDir, jwtKeys, jwtSecret }: Pick<Config, 'dataDir' | 'jwtKeys' | 'jwtSecret'>,
  onError: (error: Error) => void = () => {},
): Promise<Keys> {
  const gateway = await openGatewayKeys({ dataDir });
  const read = async (): Promise<KeyRing> =>
    keyRing(jwtKeys ? await givenKeys(jwtKeys) : await readKeys(dataDir), jwtSecret, gateway);
  let ring = await read();
  let mark = await readMark(dataDir);
  const reload = async (): Promise<void> => {
    if (jwtKeys) return;
    const now = await readMark(dataDir);
    if (now === mark || now === '') return;
    ring = await read();
    mark = now;
  };
  const timer = setInterval(() => {
    reload().catch((error: unknown) => {
      onError(error instanceof Error ? error : new Error(String(error)));
    });
  }, LOOK_MS).unref();
  return {
    sign: (claims) => ring.sign(claims),
    verify: (token) => ring.verify(token),
    get jwks() {
      return ring.jwks;
    },
    get anonKey() {
      return ring.anonKey;
    },
    get serviceKey() {
      return ring.serviceKey;
    },
    gateway,
    exchange: (token) => ring.exchange(token),
    reload,
    close: () => clearInterval(timer),
  };
}
