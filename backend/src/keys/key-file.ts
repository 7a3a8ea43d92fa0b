// The signing keys that this installation made for itself: DATA_DIR/keys/jwt.json, mode 0600, the newest first.
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

/** Of a key that is used for one purpose here, these may forbid just that (RFC 7517 section 4.3, WebCrypto's `ext`). */
function withoutRestrictions({ key_ops: _ops, ext: _ext, ...key }: JWK): JWK {
  return key;
}

/** @returns the keys of a parsed JWKS; @throws what is wrong with it, or with one of its keys */
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
  // Written beside and moved: a crash must not leave half a key.
  await writeFile(`${file}.new`, JSON.stringify({ keys }), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** @returns the keys, the signing one first; made now where there are none @throws StartError for a damaged file */
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

/** @returns a mark that changes with the file; empty where there is none */
export async function markOf(dataDir: string): Promise<string> {
  const found = await stat(fileIn(dataDir)).catch(() => undefined);
  return found === undefined ? '' : `${found.mtimeMs} ${found.ino}`;
}

/**
 * A new key signs from now on; the older ones go on verifying what they signed. Nobody is signed out.
 * @returns the new key's name
 */
export async function rotateKeys(dataDir: string): Promise<string> {
  const known = await readKeys(dataDir);
  const key = await newKey();
  await write(dataDir, [key, ...known]);
  return key.kid ?? '';
}

/**
 * Forgets a key that was stolen: every token and API key that it signed is refused from now on.
 * @throws StartError when there is no such key, or when it is the one that signs
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
