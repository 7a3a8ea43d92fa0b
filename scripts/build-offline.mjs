// Makes the built web app installable and usable offline: icons, and a service worker that precaches the staff portal.
import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
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
/** The libraries for PDFs and workbooks are as large as the rest; printing a payslip works offline. */
const NEVER = /\/(payslip-pdf|read-workbook|write-workbook|import-template)\./;

/** Examples of what a guard must open or send without a network, so that a change of the chunks can't lose it unnoticed: beginnings of keys. */
const NEEDED = [
  'features/clocking/clock/clock-dialog.tsx',
  '_senders-',
  'features/incidents/incidents/guard/report-incident-dialog.tsx',
  'lib/photos/read-exif.ts',
  'features/leave/requests/guard/request-leave-dialog.tsx',
  'features/safety/lone-guard/sos-dialog.tsx',
];

/**
 * @param {number} share of the side taken by the mark; the safe zone of a maskable icon is a circle of 80 %
 * @returns {Promise<Buffer>} as PNG
 */
async function drawIcon(output, size, share, background) {
  const svg = await readFile(path.join(output, 'favicon.svg'));
  const inner = Math.round(size * share);
  const mark = await sharp(svg, { density: 1200 }).resize(inner, inner).png().toBuffer();
  return sharp({ create: { width: size, height: size, channels: 4, background } })
    .composite([{ input: mark }])
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** Browsers and feed readers that look at no page ask for /favicon.ico. @param {Buffer} png of less than 256 pixels */
function iconFileOf(png, size) {
  const header = Buffer.alloc(22);
  // One icon, its side in pixels, colour planes, bits a pixel, bytes, where they begin.
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

/** @returns {string[]} the built files of entries of Vite's manifest */
const filesOf = (entries) => [
  ...new Set(entries.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets])),
];

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
  return filesOf([...reached].map((key) => chunks[key]));
}

/** @param {string} algorithm of the hash that tells a service worker whether a precached file has changed */
async function entryOf(output, file, url, algorithm) {
  const content = await readFile(path.join(output, file));
  return { url, revision: createHash(algorithm).update(content).digest('hex') };
}

/**
 * Builds a service worker with the list of files to precache.
 * @param name of its source in web/, without extension
 * @param built file name in dist/web
 * @param {{ url: string, page: string, files: string[] }} precached the URL of its page, the page's file, the page's files
 */
async function buildWorker(root, output, name, built, { url, page, files }) {
  const all = [...files, 'favicon.svg', 'icon-192.png'];
  // Files in assets/ have a revision too: their names don't change with what scripts/build-web.mjs does to the built code.
  const entries = await Promise.all(all.map((file) => entryOf(output, file, `/${file}`, 'md5')));
  entries.push(await entryOf(output, page, url, 'sha256'));
  await build({
    entryPoints: [path.join(root, 'web', `${name}.ts`)],
    outfile: path.join(output, built),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    define: {
      'process.env.NODE_ENV': '"production"',
      'self.__SW_MANIFEST': JSON.stringify(entries),
    },
    logLevel: 'warning',
    logOverride: { 'empty-import-meta': 'silent' },
  });
  const sizes = await Promise.all(
    all.map(async (file) => (await stat(path.join(output, file))).size),
  );
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  console.log(
    `  ${url}: ${all.length + 1} files, ${Math.round(size / 1024)} kB, open without a network`,
  );
}

/** Draws the icons of the installed app, and /favicon.ico. @param output dist/web with the favicon */
export async function drawIcons(output) {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const save = async (name, content) => writeFile(path.join(output, name), await content);
  await Promise.all([
    save('icon-192.png', drawIcon(output, 192, 0.94, clear)),
    save('icon-512.png', drawIcon(output, 512, 0.94, clear)),
    save('icon-maskable-512.png', drawIcon(output, 512, 0.6, NIGHT)),
    save(
      'favicon.ico',
      drawIcon(output, 48, 1, clear).then((png) => iconFileOf(png, 48)),
    ),
  ]);
}

/**
 * @param output dist/web after the Vite build
 * @param chunks Vite's manifest
 * @param kioskChunks the same of the page of shared devices
 * @returns {Promise<string[]>} the precached files and the workers
 */
export async function buildOffline(root, output, chunks, kioskChunks) {
  const staff = filesOfStaffPortal(chunks);
  const kiosk = filesOf(Object.values(kioskChunks));
  await Promise.all([
    buildWorker(root, output, 'service-worker', 'sw.js', {
      url: '/staff',
      page: 'app.html',
      files: staff,
    }),
    buildWorker(root, output, 'kiosk-worker', 'kiosk-worker.js', {
      url: '/kiosk',
      page: 'kiosk.html',
      files: kiosk,
    }),
  ]);
  return [...staff, ...kiosk, 'sw.js', 'kiosk-worker.js'];
}
