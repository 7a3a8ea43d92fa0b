// Makes the built web app installable and usable offline: icons, and a service worker that precaches the staff portal.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { injectManifest } from '@serwist/build';
import { build } from 'esbuild';
import sharp from 'sharp';
import { reachedFrom } from './chunks.mjs';

/** Background colour of maskable icons. */
const NIGHT = '#081120';
/** Entry points that are precached; the other portals are cached when first opened. */
const FIRST =
  /^((portals\/staff|components|lib)\/|features\/rights\/auth\/portal-sign-in|_(session|sign-in|staff|backend|dialogs|senders)-)/;
/** Chunks whose dynamic imports belong to the staff portal. The other chunks are shared with other portals. */
const STAFF = /^((portals\/staff|features|components|lib)\/|_staff-)/;
const OTHERS = /^((portals|features\/rights\/auth)\/|_(admin|screens)-)/;
/** The PDF library is as large as the rest; printing a payslip works offline. */
const NEVER = /\/payslip-pdf\./;

/** Examples of what a guard must open or send without a network, so that a change of the chunks can't lose it unnoticed: beginnings of keys. */
const NEEDED = [
  'features/clocking/clock/clock-dialog.tsx',
  '_senders-',
  'features/incidents/incidents/guard/report-incident-dialog.tsx',
  'lib/photos/read-exif.ts',
  'features/leave/requests/guard/request-leave-dialog.tsx',
  'features/safety/lone-guard/sos-dialog.tsx',
];

/** @param {number} share of the side taken by the mark; the safe zone of a maskable icon is a circle of 80 % */
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
 * @returns {string[]} the built files that the staff portal needs, its page included
 */
function filesOfStaffPortal(chunks) {
  const reached = reachedFrom(['app.html'], (key) => {
    const { imports = [], dynamicImports = [] } = chunks[key];
    const later = dynamicImports.filter(
      (next) => !NEVER.test(next) && (FIRST.test(next) || (STAFF.test(key) && !OTHERS.test(next))),
    );
    return [...imports, ...later];
  });
  for (const needed of NEEDED) {
    if (![...reached].some((key) => key.startsWith(needed)))
      throw new Error(`${needed} would not be there without a network.`);
  }
  const files = [...reached].flatMap((key) => {
    const { file, css = [], assets = [] } = chunks[key];
    return [file, ...css, ...assets];
  });
  return [...new Set(files)];
}

/**
 * Builds a service worker and gives it the list of files to precache.
 * @param name of its source in web/, without extension
 * @param built file name in dist/web
 * @param {{ url: string, page: string, files: string[] }} precached the URL of its page, the page's file, the page's files
 */
async function buildWorker(root, output, name, built, { url, page, files }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'service-worker-'));
  const swSrc = path.join(folder, built);
  await build({
    entryPoints: [path.join(root, 'web', `${name}.ts`)],
    outfile: swSrc,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  });
  const html = await readFile(path.join(output, page));
  const { count, size, warnings } = await injectManifest({
    swSrc,
    swDest: path.join(output, built),
    globDirectory: output,
    globPatterns: [...files, 'favicon.svg', 'icon-192.png'],
    // Built file names contain a hash of their content.
    dontCacheBustURLsMatching: /^assets\//,
    modifyURLPrefix: { '': '/' },
    additionalPrecacheEntries: [{ url, revision: createHash('sha256').update(html).digest('hex') }],
  });
  await rm(folder, { recursive: true });
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
  console.log(`  ${url}: ${count} files, ${Math.round(size / 1024)} kB, open without a network`);
}

/**
 * @param output dist/web after the Vite build
 * @param chunks Vite's manifest
 * @param kioskChunks the same of the page of shared devices
 */
export async function buildOffline(root, output, chunks, kioskChunks) {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  await drawIcon(output, 'icon-192.png', 192, 0.94, clear);
  await drawIcon(output, 'icon-512.png', 512, 0.94, clear);
  await drawIcon(output, 'icon-maskable-512.png', 512, 0.6, NIGHT);

  await buildWorker(root, output, 'service-worker', 'sw.js', {
    url: '/staff',
    page: 'app.html',
    files: filesOfStaffPortal(chunks),
  });
  const kioskFiles = Object.values(kioskChunks).flatMap(({ file, css = [], assets = [] }) => [
    file,
    ...css,
    ...assets,
  ]);
  await buildWorker(root, output, 'kiosk-worker', 'kiosk-worker.js', {
    url: '/kiosk',
    page: 'kiosk.html',
    files: [...new Set(kioskFiles)],
  });
}
