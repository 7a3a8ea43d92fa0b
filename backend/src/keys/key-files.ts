// Generated signing keys in DATA_DIR/keys/jwt.json, mode 0600, newest first; opaque API keys beside them.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { readIfExists, replaceFile } from '../files.ts';
import { StartError } from '../start-error.ts';

const Key = z.looseObject({
  kid: z.string(),
  alg: z.string(),
  kty: z.string(),
  key_ops: z.array(z.string()).optional(),
});

const Keys = z.object({ keys: z.array(Key) });

const isPrivate = (key: JWK): boolean => 'd' in key || 'k' in key;

/**
 * JWK members that could forbid signing or verifying (RFC 7517 section 4.3, WebCrypto's `ext`). They say only which key
 * signs: every key verifies what it has signed.
 */
function withoutRestrictions({ key_ops: _ops, ext: _ext, ...key }: JWK): JWK {
  return key;
}

/**
 * @returns the keys of a parsed JWKS, the signing one first: the first whose `key_ops` has `sign`, else the first
 * @throws Error that names the problem
 */
export async function usableKeys(jwks: unknown): Promise<JWK[]> {
  const { keys } = Keys.parse(jwks);
  const signing = keys.find((key) => isPrivate(key) && key.key_ops?.includes('sign')) ?? keys[0];
  if (signing === undefined || !isPrivate(signing)) throw new Error('There is no key that signs.');
  const ordered = [signing, ...keys.filter((key) => key !== signing)].map(withoutRestrictions);
  await Promise.all(ordered.map((key) => importJWK(key, key.alg)));
  return ordered;
}

const fileIn = (dataDir: string): string => path.join(dataDir, 'keys', 'jwt.json');

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'ES256', use: 'sig' };
}

const write = (dataDir: string, keys: JWK[]) =>
  replaceFile(fileIn(dataDir), JSON.stringify({ keys }));

/** @param create writes a missing file; @param remedy for the operator, if the file is damaged */
async function readOrCreate<T>(
  file: string,
  parse: (json: unknown) => Promise<T>,
  create: () => Promise<T>,
  remedy: string,
): Promise<T> {
  const text = await readIfExists(file);
  if (text === undefined) return create();
  try {
    return await parse(JSON.parse(text));
  } catch (error) {
    throw new StartError(`${file} is damaged. ${remedy}`, { cause: error });
  }
}

/** @returns the keys, the signing one first; creates one if there is none @throws StartError for a damaged file */
export function readKeys(dataDir: string): Promise<JWK[]> {
  const create = async (): Promise<JWK[]> => {
    const keys = [await newKey()];
    await write(dataDir, keys);
    return keys;
  };
  const remedy =
    'Restore it from a backup, or remove it to get a new signing key: everyone is signed out then, and the anon and service keys change.';
  return readOrCreate(fileIn(dataDir), usableKeys, create, remedy);
}

/** @returns a value that changes with the file; empty without a file */
export async function readMark(dataDir: string): Promise<string> {
  const found = await stat(fileIn(dataDir)).catch(() => undefined);
  return found === undefined ? '' : `${found.mtimeMs} ${found.ino}`;
}

/**
 * Adds a new signing key. Older keys still verify their tokens, so nobody is signed out.
 * @returns the new key's id
 */
export async function rotateKeys(dataDir: string): Promise<string> {
  const known = await readKeys(dataDir);
  const key = await newKey();
  await write(dataDir, [key, ...known]);
  return key.kid ?? '';
}

/**
 * Removes a stolen key: every token and API key signed by it is refused from then on.
 * @throws StartError if there is no such key, or it is the signing one
 */
export async function retireKey(dataDir: string, kid: string): Promise<void> {
  const known = await readKeys(dataDir);
  if (known[0]?.kid === kid) {
    throw new StartError(
      'This key signs at present. Make another one first: npm start -- keys rotate',
    );
  }
  const left = known.filter((key) => key.kid !== kid);
  if (left.length === known.length) throw new StartError(`There is no key named ${kid}.`);
  await write(dataDir, left);
}

// Opaque API keys, `sb_publishable_…` and `sb_secret_…`, each replaced by a long-lived JWT (Supabase docs "API keys").
const GatewayKeys = z.object({
  /** Has the rights of `anon`. */
  publishable: z.string().regex(/^sb_publishable_[\w-]{20,}$/),
  /** Has the rights of `service_role`. */
  secret: z.string().regex(/^sb_secret_[\w-]{20,}$/),
});
export type GatewayKeys = z.infer<typeof GatewayKeys>;

const random = (): string => randomBytes(24).toString('base64url');

/** Reads the keys in DATA_DIR, or creates them. @throws StartError if the file is damaged */
export function openGatewayKeys({ dataDir }: Pick<Config, 'dataDir'>): Promise<GatewayKeys> {
  const file = path.join(dataDir, 'keys', 'gateway.json');
  const create = async (): Promise<GatewayKeys> => {
    const made = { publishable: `sb_publishable_${random()}`, secret: `sb_secret_${random()}` };
    await replaceFile(file, JSON.stringify(made));
    return made;
  };
  const parse = async (json: unknown): Promise<GatewayKeys> => GatewayKeys.parse(json);
  return readOrCreate(file, parse, create, 'Restore it, or remove it to get new gateway keys.');
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @param tokens the JWT of each key; @returns the JWT of an opaque key; other tokens unchanged */
export function gatewayExchange(
  keys: GatewayKeys,
  tokens: { anonKey: string; serviceKey: string },
): (token: string) => string {
  const known = [
    { hash: digest(keys.publishable), token: tokens.anonKey },
    { hash: digest(keys.secret), token: tokens.serviceKey },
  ];
  return (token) => {
    if (!token.startsWith('sb_')) return token;
    // Digests have equal length, as timingSafeEqual requires.
    const hash = digest(token);
    return known.find((key) => timingSafeEqual(key.hash, hash))?.token ?? token;
  };
}
