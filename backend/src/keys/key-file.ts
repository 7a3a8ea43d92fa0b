// Generated signing keys in DATA_DIR/keys/jwt.json, mode 0600, newest first.
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { z } from 'zod';
import { StartError } from '../start-error.ts';

const Key = z.looseObject({ kid: z.string(), alg: z.string(), kty: z.string() });

const PrivateKeys = z.object({
  // The first one signs.
  keys: z.tuple([Key.refine((key) => 'd' in key || 'k' in key)]).rest(Key),
});

/** JWK members that could forbid signing or verifying (RFC 7517 section 4.3, WebCrypto's `ext`). */
function withoutRestrictions({ key_ops: _ops, ext: _ext, ...key }: JWK): JWK {
  return key;
}

/** @returns the keys of a parsed JWKS; @throws Error that names the problem */
export async function usableKeys(jwks: unknown): Promise<JWK[]> {
  const keys = PrivateKeys.parse(jwks).keys.map(withoutRestrictions);
  await Promise.all(keys.map((key) => importJWK(key, key.alg)));
  return keys;
}

const fileIn = (dataDir: string): string => path.join(dataDir, 'keys', 'jwt.json');

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'ES256', use: 'sig' };
}

async function write(dataDir: string, keys: JWK[]): Promise<void> {
  const file = fileIn(dataDir);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // Written to a temporary file and renamed: a crash must not leave a truncated key.
  await writeFile(`${file}.new`, JSON.stringify({ keys }), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** @returns the keys, the signing one first; creates one if there is none @throws StartError for a damaged file */
export async function readKeys(dataDir: string): Promise<JWK[]> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) {
    try {
      return await usableKeys(JSON.parse(text));
    } catch (error) {
      throw new StartError(
        `${fileIn(dataDir)} is damaged. Restore it from a backup, or remove it to get a new signing key: everyone is signed out then, and the anon and service keys change.`,
        { cause: error },
      );
    }
  }
  const keys = [await newKey()];
  await write(dataDir, keys);
  return keys;
}

/** @returns a value that changes with the file; empty without a file */
export async function markOf(dataDir: string): Promise<string> {
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
