import { access } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { Context } from '../../context.ts';
import { readIfExists } from '../../files.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const ENTRIES = ['index.ts', 'index.tsx', 'index.js', 'index.mjs'];
const IMPORT_MAPS = ['deno.json', 'deno.jsonc', 'import_map.json'];

export interface FunctionSource {
  name: string;
  /** Absolute path of the entry file. */
  entry: string;
  /** Absolute path of the import map, if any. */
  importMap: string | undefined;
  verifyJwt: boolean;
}

async function firstOf(files: string[]): Promise<string | undefined> {
  for (const file of files) {
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (exists) return file;
  }
  return undefined;
}

/** @returns the function's source and settings; undefined when it does not exist or is disabled */
export async function locate(
  { config, settings }: Pick<Context, 'config' | 'settings'>,
  name: string,
): Promise<FunctionSource | undefined> {
  // Folders that begin with `_` or `.` contain shared code.
  if (!NAME.test(name)) return undefined;
  const root = path.join(config.projectDir, 'supabase');
  const given = settings.functions[name];
  if (given?.enabled === false) return undefined;
  const folder = path.join(root, 'functions', name);
  const entry = await firstOf(
    given?.entrypoint === undefined
      ? ENTRIES.map((file) => path.join(folder, file))
      : [path.resolve(root, given.entrypoint)],
  );
  if (entry === undefined) return undefined;
  const importMap = await firstOf(
    given?.import_map === undefined
      ? [path.dirname(entry), path.join(root, 'functions')].flatMap((dir) =>
          IMPORT_MAPS.map((file) => path.join(dir, file)),
        )
      : [path.resolve(root, given.import_map)],
  );
  return { name, entry, importMap, verifyJwt: given?.verify_jwt ?? true };
}

/**
 * The environment variables of a function: those of a Supabase project and the project's secrets, but nothing of the
 * server's own environment. SUPABASE_DB_URL is set only if it is given as a secret.
 */
export async function buildEnvironment({
  config,
  settings,
  keys,
  ownUrl,
}: Pick<Context, 'config' | 'settings' | 'keys' | 'ownUrl'>): Promise<Record<string, string>> {
  const file = path.join(config.projectDir, 'supabase', 'functions', '.env');
  const text = await readIfExists(file);
  const secrets = { ...parseEnv(text ?? ''), ...settings.edge_runtime.secrets };
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
