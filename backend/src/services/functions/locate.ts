// Where a function lies and how it is set up: its folder, `[functions.<name>]` of config.toml, its import map.
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../context.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const ENTRIES = ['index.ts', 'index.tsx', 'index.js', 'index.mjs'];
const IMPORT_MAPS = ['deno.json', 'deno.jsonc', 'import_map.json'];

export interface FunctionSource {
  name: string;
  /** Absolute path of its first file. */
  entry: string;
  /** Absolute path of the file that maps its imports, if there is one. */
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

/** @returns the function of this name; undefined where there is none or it is switched off */
export async function locate(
  { config, settings }: Pick<Context, 'config' | 'settings'>,
  name: string,
): Promise<FunctionSource | undefined> {
  // Names that begin with `_` or `.` are folders that functions share.
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
