import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { replaceFile } from '../../../files.ts';
import type { FunctionSource } from '../locate.ts';
import { readImportMap, resolveTarget } from './imports.ts';

export interface Bundle {
  /** Absolute path of the module to run. */
  file: string;
  /** The function's files and their modification times. */
  inputs: Map<string, number>;
}

export interface Paths {
  /** Absolute path of the backend's sources, from which packages are found. */
  sourceDir: string;
  /** Absolute path of the folder for bundles. */
  outDir: string;
}

const SERVE = `export const serve = (handler, options) => Deno.serve(options ?? {}, handler);`;

function denoImports(
  map: (specifier: string, importer: string) => string,
  entry: string,
  sourceDir: string,
): Plugin {
  return {
    name: 'deno-imports',
    setup(build) {
      build.onResolve({ filter: /.*/ }, async (args) => {
        const { importer, pluginData, resolveDir } = args;
        // Packages and the runtime use Node's resolution.
        const isOwn = importer === '' ? false : !importer.includes('/node_modules/');
        if (pluginData === 'resolved' || !isOwn || importer.startsWith(`${sourceDir}/`)) return;
        const mapped = map(args.path, importer);
        const target = resolveTarget(mapped);
        if (target?.kind === 'nothing' || target?.kind === 'serve') {
          return { path: target.kind, namespace: 'deno' };
        }
        if (target?.kind === 'unknown') return { errors: [{ text: target.reason }] };
        const specifier = target?.name ?? mapped;
        const folders = target === undefined ? [resolveDir] : [path.dirname(entry), sourceDir];
        for (const [at, folder] of folders.entries()) {
          const result = await build.resolve(specifier, {
            kind: args.kind,
            importer,
            resolveDir: folder,
            pluginData: 'resolved',
          });
          if (result.errors.length === 0 || at === folders.length - 1) return result;
        }
        return;
      });
      build.onLoad({ filter: /.*/, namespace: 'deno' }, (args) => ({
        contents: args.path === 'serve' ? SERVE : '',
        loader: 'js',
      }));
    },
  };
}

/** @returns `node_modules` of the folder and of all above it */
function packageFolders(folder: string): string[] {
  const parent = path.dirname(folder);
  const own = path.join(folder, 'node_modules');
  return parent === folder ? [own] : [own, ...packageFolders(parent)];
}

async function changedAt(files: string[]): Promise<Map<string, number>> {
  const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  return new Map(files.map((file, at) => [file, times[at] ?? 0]));
}

export async function isCurrent(bundle: Bundle): Promise<boolean> {
  try {
    const now = await changedAt([...bundle.inputs.keys()]);
    return [...bundle.inputs].every(([file, time]) => now.get(file) === time);
  } catch {
    return false;
  }
}

/** Removes older bundles of the function. Workers that still run one have loaded it already. */
async function removeOldBundles(outDir: string, name: string, current: string): Promise<void> {
  const old = (await readdir(outDir))
    .filter(
      (file) =>
        file.startsWith(`${name}-`) && /^[0-9a-f]{16}\.mjs$/.test(file.slice(name.length + 1)),
    )
    .map((file) => path.join(outDir, file))
    .filter((file) => file !== current);
  await Promise.all(old.map((file) => rm(file, { force: true })));
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * Bundles one function at a time, because esbuild's process is stopped afterwards.
 * @throws esbuild's error when the function can't be bundled
 */
export function bundle(source: FunctionSource, paths: Paths): Promise<Bundle> {
  const result = queue.then(() => build(source, paths));
  queue = result.catch(() => {});
  return result;
}

async function build(source: FunctionSource, { sourceDir, outDir }: Paths): Promise<Bundle> {
  // Loaded lazily to keep the server's start fast.
  const esbuild = await import('esbuild');
  const { entry, name } = source;
  const runtime = path.join(sourceDir, 'services', 'functions', 'runtime', 'start.ts');
  const imports = await readImportMap(source.importMap);
  const url = JSON.stringify(pathToFileURL(entry).href);
  try {
    const { outputFiles, metafile } = await esbuild.build({
      stdin: {
        contents: `import { begin } from ${JSON.stringify(runtime)};
          import * as module from ${JSON.stringify(entry)};
          begin({ ...module });`,
        resolveDir: path.dirname(entry),
      },
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      jsx: 'automatic',
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
      // Ignores our own tsconfig.json.
      tsconfigRaw: {},
      nodePaths: packageFolders(sourceDir),
      plugins: [denoImports(imports.map, entry, sourceDir)],
      outfile: path.join(outDir, `${name}.mjs`),
      define: {
        'import.meta.url': url,
        'import.meta.dirname': JSON.stringify(path.dirname(entry)),
        'import.meta.filename': JSON.stringify(entry),
        'import.meta.main': 'true',
      },
      // CommonJS packages expect it.
      banner: {
        js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(${url});`,
      },
    });
    const code = outputFiles[0]?.contents ?? new Uint8Array();
    const own = Object.keys(metafile.inputs)
      .filter((file) => !/^<|^[\w-]+:|(^|\/)node_modules\//.test(file))
      .map((file) => path.resolve(file));
    const inputs = await changedAt([...new Set([...own, ...imports.files])]);
    const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
    const file = path.join(outDir, `${name}-${hash}.mjs`);
    await replaceFile(file, code);
    await removeOldBundles(outDir, name, file);
    return { file, inputs };
  } finally {
    await esbuild.stop();
  }
}
