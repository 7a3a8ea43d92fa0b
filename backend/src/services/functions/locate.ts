import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../context.ts';

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
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    ) {
      return file;
    }
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
