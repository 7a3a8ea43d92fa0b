// Opaque API keys, `sb_publishable_…` and `sb_secret_…`, each replaced by a long-lived JWT (Supabase docs "API keys").
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';

const GatewayKeys = z.object({
  /** Has the rights of `anon`. */
  publishable: z.string().regex(/^sb_publishable_[\w-]{20,}$/),
  /** Has the rights of `service_role`. */
  secret: z.string().regex(/^sb_secret_[\w-]{20,}$/),
});
export type GatewayKeys = z.infer<typeof GatewayKeys>;

const random = (): string => randomBytes(24).toString('base64url');

/**
 * Reads the keys in DATA_DIR, or creates them with mode 0600.
 * @throws StartError if the file is damaged
 */
export async function openGatewayKeys({ dataDir }: Pick<Config, 'dataDir'>): Promise<GatewayKeys> {
  const file = path.join(dataDir, 'keys', 'gateway.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) {
    try {
      return GatewayKeys.parse(JSON.parse(text));
    } catch {
      throw new StartError(`${file} is damaged. Restore it, or remove it to get new gateway keys.`);
    }
  }
  const made = { publishable: `sb_publishable_${random()}`, secret: `sb_secret_${random()}` };
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // Written to a temporary file and renamed: a crash must not leave a truncated key.
  await writeFile(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return made;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * @param tokens the JWT of each key
 * @returns the JWT of an opaque key; other tokens unchanged
 */
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
