import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { Context } from '../../context.ts';

/**
 * The environment variables of a function: those of a Supabase project and the project's secrets, but nothing of the
 * server's own environment. SUPABASE_DB_URL is set only if it is given as a secret.
 */
export async function environmentOf({
  config,
  settings,
  keys,
  ownUrl,
}: Pick<Context, 'config' | 'settings' | 'keys' | 'ownUrl'>): Promise<Record<string, string>> {
  const file = path.join(config.projectDir, 'supabase', 'functions', '.env');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const secrets = { ...parseEnv(text), ...settings.edge_runtime.secrets };
  const given = Object.entries(secrets).filter(
    // As in a Supabase project, secrets can't use reserved names.
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (!entry[0].startsWith('SUPABASE_') || entry[0] === 'SUPABASE_DB_URL'),
  );
  return {
    ...Object.fromEntries(given),
    SUPABASE_URL: ownUrl(),
    SUPABASE_ANON_KEY: keys.anonKey,
    SUPABASE_SERVICE_ROLE_KEY: keys.serviceKey,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: keys.gateway.publishable }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: keys.gateway.secret }),
  };
}
