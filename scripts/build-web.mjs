// Builds the web app into dist/web, renders the public site into its index.html, and precompresses static files.
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build as bundle, transform } from 'esbuild';
import { build } from 'vite';
import { buildOffline } from './build-offline.mjs';
import { adminScreens, chunkGroups, firstFiles } from './chunks.mjs';

// Test runners set NODE_ENV=test; this always builds for production.
process.env.NODE_ENV = 'production';

const root = path.join(import.meta.dirname, '..');
const output = path.join(root, 'dist', 'web');
/** Server-side rendering code; not served. */
const site = path.join(root, 'dist', 'site');

/** @returns {Promise<string>} path of a built font file */
async function fontFile(family) {
  const files = await readdir(path.join(output, 'assets'));
  const file = files.find((name) => name.startsWith(family) && name.endsWith('.woff2'));
  if (!file) throw new Error(`The build contains no font ${family}.`);
  return `assets/${file}`;
}

/** Replaces a marker that must occur exactly once. */
function fill(html, marker, content) {
  const parts = html.split(marker);
  if (parts.length !== 2) throw new Error(`A page must contain ${marker} exactly once.`);
  return parts.join(content);
}

const THEME = '<script src="/theme.js"></script>';

/** @returns {Promise<string>} an inline script; the Content-Security-Policy allows it by hash */
async function inlineScript(text) {
  const { code } = await transform(text, { minify: true });
  return `<script>${code.trim()}</script>`;
}

/** @returns {Promise<string>} an inline script of modules */
async function inlineModules(...source) {
  const { outputFiles } = await bundle({
    entryPoints: [path.join(root, 'web', ...source)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    // In a module of which only a constant is used.
    logOverride: { 'empty-import-meta': 'silent' },
  });
  return `<script>${outputFiles[0].text.trim()}</script>`;
}

const themeScript = async () => inlineScript(await readFile(path.join(output, 'theme.js'), 'utf8'));

/** Inlines styles and the theme script: on a slow connection every request before first paint costs a round trip. */
async function inline(html) {
  const [link, href] = /<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+)">/.exec(html) ?? [];
  if (!link) throw new Error('The built page names no style sheet.');
  const css = await readFile(path.join(output, href), 'utf8');
  const withStyle = fill(html, link, `<style>${css.trim()}</style>`);
  return fill(withStyle, THEME, await themeScript());
}

/** Writes a .br and a .gz beside every text file of 1 kB or more. */
async function compress() {
  const files = await readdir(output, { recursive: true });
  const texts = files.filter((file) => /\.(js|css|svg|json|webmanifest)$/.test(file));
  const brotli = promisify(brotliCompress);
  const zip = promisify(gzip);
  for (const file of texts.map((name) => path.join(output, name))) {
    const bytes = await readFile(file);
    if (bytes.length < 1024) continue;
    await writeFile(`${file}.br`, await brotli(bytes));
    await writeFile(`${file}.gz`, await zip(bytes, { level: 9 }));
  }
}

console.log('Building the web app');
const codeSplitting = { groups: await chunkGroups(root) };
await build({ logLevel: 'warn', build: { rollupOptions: { output: { codeSplitting } } } });

/** Builds code that renders pages here and imports it. @param {string} name of the built file, below dist/site */
async function renderer(name, ...source) {
  await build({
    logLevel: 'warn',
    publicDir: false,
    build: {
      manifest: false,
      ssrEmitAssets: true,
      ssr: path.join(root, 'web', ...source),
      outDir: site,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: name } },
    },
  });
  return import(pathToFileURL(path.join(site, name)).href);
}

/**
 * Builds a page of its own, which shares no chunk with the app, whose chunks are grouped for its own screens.
 * @param {string} name of its .html in web/
 * @returns {Promise<object>} Vite's manifest
 */
async function buildPage(name) {
  const manifest = `.${name}.json`;
  await build({
    configFile: false,
    logLevel: 'warn',
    root: path.join(root, 'web'),
    plugins: [react(), tailwindcss()],
    build: {
      outDir: output,
      emptyOutDir: false,
      copyPublicDir: false,
      manifest,
      rollupOptions: { input: { [name]: path.join(root, 'web', `${name}.html`) } },
    },
  });
  const page = path.join(output, `${name}.html`);
  await writeFile(page, await inline(await readFile(page, 'utf8')));
  const list = path.join(output, manifest);
  const chunks = JSON.parse(await readFile(list, 'utf8'));
  // Build metadata must not be served.
  await rm(list);
  return chunks;
}

const kioskChunks = await buildPage('kiosk');
await buildPage('client');

console.log('Rendering the public site');
await rm(site, { recursive: true, force: true });
const { answerHead, appManifest, kioskManifest, siteHead, siteManifest, sitePage } = await renderer(
  'render.mjs',
  'portals',
  'site',
  'render.tsx',
);
// The drawings; the code beside them is for the renderer.
await cp(path.join(site, 'assets'), path.join(output, 'assets'), {
  recursive: true,
  filter: (file) => !file.endsWith('.js'),
});
const file = path.join(output, 'index.html');
const template = await inline(await readFile(file, 'utf8'));

const landing = fill(template, '<!--site-head-->', siteHead(`/${await fontFile('marcellus')}`));
await writeFile(file, fill(landing, '<!--site-page-->', sitePage()));

// Only browsers without JavaScript post the form, so the result page has no scripts.
const plain = template.replace(
  /\s*<(script type="module"|link rel="modulepreload")[^>]*>(<\/script>)?/g,
  '',
);
const answer = fill(plain, '<!--site-head-->', answerHead());
await writeFile(path.join(site, 'answer.html'), fill(answer, '<!--site-page-->', '<!--answer-->'));
await writeFile(path.join(output, 'site.webmanifest'), siteManifest());
await writeFile(path.join(output, 'app.webmanifest'), appManifest());
await writeFile(path.join(output, 'kiosk.webmanifest'), kioskManifest());

/** Lets a failed import() be tried again (web/lib/errors/missing-file.ts). */
async function addRetries() {
  const files = await readdir(path.join(output, 'assets'));
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    const address = path.join(output, 'assets', file);
    const code = await readFile(address, 'utf8');
    const retried = code.replace(
      /\bimport\((["'`])(\.\/[\w.-]+\.js)\1\)/g,
      (call, _, name) => `${call}.catch(globalThis.importAgain?.bind(null,"${name}"))`,
    );
    if (retried !== code) await writeFile(address, retried);
  }
}

console.log('Preparing the app for use without a network');
await addRetries();
const listFile = path.join(output, '.build.json');
const chunks = JSON.parse(await readFile(listFile, 'utf8'));
// Build metadata must not be served.
await rm(listFile);
const fonts = [await fontFile('marcellus'), await fontFile('public-sans')];
const theme = await themeScript();
const appFile = path.join(output, 'app.html');
const appTemplate = await readFile(appFile, 'utf8');
const appPage = async (screens) =>
  fill(appTemplate, THEME, `${theme}${await inlineScript(firstFiles(chunks, fonts, screens))}`);
const app = await appPage([]);
await writeFile(appFile, app);
// The same page with the sign-in already in it; the app replaces it (web/lib/render/static-form.ts).
const { openingIndicator, signInPages } = await renderer(
  'sign-in.mjs',
  'portals',
  'auth',
  'render-sign-in.tsx',
);
const { portal, tracker } = signInPages();
// The names of the office's files are as large as the rest of the page, which guards load on slow lines.
const early = await inlineModules('portals', 'admin', 'early-requests.ts');
const office = fill(await appPage(await adminScreens(root)), theme, `${theme}${early}`);
for (const [name, html, { title, body }] of [
  ['portal', app, portal],
  ['tracker', app, tracker],
  ['office', office, portal],
]) {
  const titled = html.replace(/<title>[^<]*/, () => `<title>${title}`);
  const content = `<div data-static>${body}</div><div data-opening>${openingIndicator()}</div>`;
  const page = fill(titled, '<div id="app"></div>', `<div id="app">${content}</div>`);
  await writeFile(path.join(site, `app-${name}.html`), page);
}
await buildOffline(root, output, chunks, kioskChunks);
await compress();
