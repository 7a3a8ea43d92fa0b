// Import maps: `imports` and `scopes` of a deno.json or import_map.json.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const Imports = z.record(z.string(), z.string());
const ImportMap = z.object({
  imports: Imports.default({}),
  scopes: z.record(z.string(), Imports).default({}),
  /** A deno.json may refer to a separate map. */
  importMap: z.string().optional(),
});

export interface ImportMapper {
  /** Absolute paths of the files that the map was read from. */
  files: string[];
  /** @param importer absolute path of the importing file */
  map(specifier: string, importer: string): string;
}

/** Removes comments and trailing commas outside strings. */
function plainJson(text: string): string {
  return text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_all, quoted) => quoted ?? '')
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_all, quoted) => quoted ?? '');
}

function lookUp(imports: z.infer<typeof Imports>, specifier: string): string | undefined {
  const exact = imports[specifier];
  if (exact !== undefined) return exact;
  const prefix = Object.keys(imports)
    .filter((key) => specifier.startsWith(key) && key.endsWith('/'))
    .sort((a, b) => b.length - a.length)[0];
  if (prefix !== undefined) return `${imports[prefix]}${specifier.slice(prefix.length)}`;
  // As in Deno, an entry "zod" also maps "zod/mini".
  const parent = Object.keys(imports)
    .filter((key) => specifier.startsWith(`${key}/`))
    .sort((a, b) => b.length - a.length)[0];
  const target = parent === undefined ? undefined : imports[parent];
  if (parent === undefined || !/^(npm|jsr):/.test(target ?? '')) return undefined;
  return `${target}${specifier.slice(parent.length)}`;
}

/**
 * @param file absolute path; undefined for a function without a map
 * @throws when the file is not a valid import map
 */
export async function readImportMap(file: string | undefined): Promise<ImportMapper> {
  if (file === undefined) return { files: [], map: (specifier) => specifier };
  const map = ImportMap.parse(JSON.parse(plainJson(await readFile(file, 'utf8'))));
  if (map.importMap !== undefined) {
    const named = await readImportMap(path.resolve(path.dirname(file), map.importMap));
    return { ...named, files: [file, ...named.files] };
  }
  const base = pathToFileURL(file);
  /** Paths in a map are relative to it. */
  const resolved = (target: string): string =>
    /^\.{0,2}\//.test(target) ? decodeURIComponent(new URL(target, base).pathname) : target;
  const scopes = Object.entries(map.scopes).map(
    ([scope, imports]) => [resolved(scope), imports] as const,
  );
  return {
    files: [file],
    map: (specifier, importer) => {
      const inScope = scopes
        .filter(([scope]) => importer.startsWith(scope))
        .map(([, imports]) => lookUp(imports, specifier))
        .find((found) => found !== undefined);
      const found = inScope ?? lookUp(map.imports, specifier);
      return found === undefined ? specifier : resolved(found);
    },
  };
}

// Maps Deno's specifiers (`npm:`, `jsr:`, CDN URLs that tutorials use) to packages in node_modules.

export type Target =
  /** A package, including a path inside it. */
  | { kind: 'package'; name: string }
  /** Types only. */
  | { kind: 'nothing' }
  /** `serve` of Deno's old standard library. */
  | { kind: 'serve' }
  | { kind: 'unknown'; reason: string };

const PACKAGE = /^\/?((?:@[^/@]+\/)?[^/@]+)(?:@[^/]+)?(\/.*)?$/;
const CDN = /^https:\/\/(?:esm\.sh|cdn\.skypack\.dev|cdn\.jsdelivr\.net\/npm|unpkg\.com)\//;
const OLD_SERVE = /^https:\/\/deno\.land\/std(?:@[^/]+)?\/http\/(?:server|mod)\.ts$/;

function packageOf(text: string): Target {
  const [, name, rest = ''] = PACKAGE.exec(text.split('?')[0] ?? '') ?? [];
  if (name === undefined) return { kind: 'unknown', reason: `"${text}" is not a package name` };
  const inside = rest === '/' || rest === '/+esm' ? '' : rest;
  return { kind: 'package', name: `${name}${inside}` };
}

/** @returns undefined for a specifier that Node can resolve */
export function resolveTarget(specifier: string): Target | undefined {
  if (specifier.startsWith('npm:')) return packageOf(specifier.slice(4));
  if (specifier.startsWith('jsr:')) {
    return /^jsr:\/?@supabase\/functions-js(@|\/|$)/.test(specifier)
      ? { kind: 'nothing' }
      : packageOf(specifier.slice(4));
  }
  if (!/^https?:/.test(specifier)) return undefined;
  if (OLD_SERVE.test(specifier)) return { kind: 'serve' };
  if (CDN.test(specifier)) return packageOf(specifier.replace(CDN, '').replace(/^v\d+\//, ''));
  if (specifier.endsWith('.d.ts')) return { kind: 'nothing' };
  return { kind: 'unknown', reason: `can't import from ${specifier}: use npm: instead` };
}
