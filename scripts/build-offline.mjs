// Makes of the built web app one that can be installed and opens without a network: its icons, the service worker,
// and in it the list of the files that the staff portal needs.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { injectManifest } from '@serwist/build';
import { build } from 'esbuild';
import sharp from 'sharp';
import { reachedFrom } from './file-graph.mjs';

/** The company's night, behind the mark where a phone cuts the icon to its own shape. */
const NIGHT = '#081120';
/** What a guard opens from the first page on; the other portals are kept once somebody has opened them. */
const FIRST = /^((portals\/staff|components|lib)\/|_(sign-in|staff|backend)-)/;
const OTHERS = /^((portals|features\/auth)\/|_(admin|screens)-)/;

/** @param {number} share of the side that the mark takes; the safe zone of a maskable icon is a circle of 80 % */
async function drawIcon(output, name, size, share, background) {
  const svg = await readFile(path.join(output, 'favicon.svg'));
  const inner = Math.round(size * share);
  const mark = await sharp(svg, { density: 1200 }).resize(inner, inner).png().toBuffer();
  await sharp({ create: { width: size, height: size, channels: 4, background } })
    .composite([{ input: mark }])
    .png({ compressionLevel: 9 })
    .toFile(path.join(output, name));
}

/**
 * @param chunks Vite's manifest: source file to built file, with what it imports
 * @returns {string[]} the built files that the staff portal needs, from its page on
 */
function filesOfStaffPortal(chunks) {
  const reached = reachedFrom(['app.html'], (key, from) => {
    const { imports = [], dynamicImports = [] } = chunks[key];
    // Loaded when it is wanted, and so a part of the staff portal; what is merely imported may be shared by all.
    const isStaff = from !== undefined && !chunks[from].imports?.includes(key);
    const later = dynamicImports.filter(
      (next) => FIRST.test(next) || (isStaff && !OTHERS.test(next)),
    );
    return [...imports, ...later];
  });
  const files = [...reached].flatMap((key) => {
    const { file, css = [], assets = [] } = chunks[key];
    return [file, ...css, ...assets];
  });
  return [...new Set(files)];
}

/**
 * @param output dist/web, with everything in it that the build made before
 * @param chunks Vite's manifest
 */
export async function buildOffline(root, output, chunks) {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  await drawIcon(output, 'icon-192.png', 192, 0.94, clear);
  await drawIcon(output, 'icon-512.png', 512, 0.94, clear);
  await drawIcon(output, 'icon-maskable-512.png', 512, 0.6, NIGHT);

  const needed = filesOfStaffPortal(chunks);

  const folder = await mkdtemp(path.join(tmpdir(), 'service-worker-'));
  const swSrc = path.join(folder, 'sw.js');
  await build({
    entryPoints: [path.join(root, 'web', 'service-worker.ts')],
    outfile: swSrc,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  });
  const page = await readFile(path.join(output, 'app.html'));
  const { count, size, warnings } = await injectManifest({
    swSrc,
    swDest: path.join(output, 'sw.js'),
    globDirectory: output,
    globPatterns: [...needed, 'favicon.svg', 'icon-192.png'],
    // The name of a built file is its content's hash.
    dontCacheBustURLsMatching: /^assets\//,
    modifyURLPrefix: { '': '/' },
    additionalPrecacheEntries: [
      { url: '/staff', revision: createHash('sha256').update(page).digest('hex') },
    ],
  });
  await rm(folder, { recursive: true });
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
  console.log(`  ${count} files, ${Math.round(size / 1024)} kB, open without a network`);
}
