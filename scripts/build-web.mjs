// Builds the web app into dist/web, renders the public site into its index.html, and precompresses static files.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build as bundle, transform } from 'esbuild';
import { build } from 'vite';
import { buildGuide } from './build-guide.mjs';
import { buildOffline, drawIcons } from './build-offline.mjs';
import { adminScreens, chunkGroups, firstFiles } from './chunks.mjs';

// Test runners set NODE_ENV=test; this always builds for production.
process.env.NODE_ENV = 'production';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

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

/**
 * The last step of Brotli's quality takes twice as long for 2 % of the size: only files that phones load first are worth it.
 * @param {Set<string>} urgent names of such files
 */
async function compressFile(name, urgent) {
  const file = path.join(output, name);
  const bytes = await readFile(file);
  if (bytes.length < 1024) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: urgent.has(name) ? 11 : 10,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await writeFile(`${file}.br`, await brotli(bytes, { params }));
  await writeFile(`${file}.gz`, await zip(bytes, { level: 9 }));
}

/** Writes a .br and a .gz beside every text file of 1 kB or more, several at once. */
async function compress(urgent) {
  const files = await readdir(output, { recursive: true });
  const texts = files.filter((file) =>
    /\.(js|css|svg|json|webmanifest)$|^guide\b.*\.html$/.test(file),
  );
  await Promise.all(texts.map((name) => compressFile(name, urgent)));
}

/** @returns {Promise<object>} Vite's manifest, which must not be served */
async function takeManifest(name) {
  const file = path.join(output, name);
  const chunks = JSON.parse(await readFile(file, 'utf8'));
  await rm(file);
  return chunks;
}

/** Settings of builds other than that of vite.config.ts. */
const plain = {
  configFile: false,
  logLevel: 'warn',
  root: path.join(root, 'web'),
  plugins: [react(), tailwindcss()],
};

const withoutStyles = {
  name: 'without-styles',
  enforce: 'pre',
  load: (id) => (id.endsWith('.css') ? { code: '', moduleSideEffects: 'no-treeshake' } : undefined),
};

/** Builds the app as far as is needed to see which code it shares. @returns Vite's output */
async function dryBuild() {
  const input = ['index.html', 'app.html'].map((page) => path.join(root, 'web', page));
  const { output } = await build({
    ...plain,
    logLevel: 'error',
    plugins: [withoutStyles],
    build: { write: false, minify: false, target: 'esnext', rollupOptions: { input } },
  });
  return output;
}

/** @returns {Promise<object>} Vite's manifest */
async function buildApp() {
  const codeSplitting = { groups: await chunkGroups(root, await dryBuild()) };
  await build({
    logLevel: 'warn',
    build: { emptyOutDir: false, rollupOptions: { output: { codeSplitting } } },
  });
  return takeManifest('.build.json');
}

/** Builds the code that renders pages, for this script and for the server. @returns its modules */
async function buildRenderers() {
  const portals = path.join(root, 'web', 'portals');
  await build({
    ...plain,
    build: {
      ssrEmitAssets: true,
      ssr: true,
      outDir: site,
      emptyOutDir: false,
      copyPublicDir: false,
      rollupOptions: {
        input: {
          render: path.join(portals, 'site', 'render.tsx'),
          'sign-in': path.join(portals, 'auth', 'render-sign-in.tsx'),
        },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  const load = (name) => import(pathToFileURL(path.join(site, name)).href);
  return { ...(await load('render.mjs')), ...(await load('sign-in.mjs')) };
}

/**
 * Builds a page of its own, which shares no chunk with the app, whose chunks are grouped for its own screens.
 * @param {string} name of its .html in web/
 * @returns {Promise<object>} Vite's manifest
 */
async function buildPage(name) {
  const manifest = `.${name}.json`;
  await build({
    ...plain,
    build: {
      outDir: output,
      emptyOutDir: false,
      copyPublicDir: false,
      manifest,
      rollupOptions: { input: { [name]: path.join(root, 'web', `${name}.html`) } },
    },
  });
  return takeManifest(manifest);
}

/** Fills the landing page, and the page that the server completes with the result of a posted form. */
async function writeSite({ answerHead, siteHead, sitePage }) {
  // The drawings; the code beside them is for the renderer.
  await cp(path.join(site, 'assets'), path.join(output, 'assets'), { recursive: true });
  const file = path.join(output, 'index.html');
  const template = await inline(await readFile(file, 'utf8'));
  const landing = fill(template, '<!--site-head-->', siteHead(`/${await fontFile('marcellus')}`));
  await writeFile(file, fill(landing, '<!--site-page-->', sitePage()));

  // Only browsers without JavaScript post the form, so the result page has no scripts.
  const withoutScripts = template.replace(
    /\s*<(script type="module"|link rel="modulepreload")[^>]*>(<\/script>)?/g,
    '',
  );
  const answer = fill(withoutScripts, '<!--site-head-->', answerHead());
  await writeFile(
    path.join(site, 'answer.html'),
    fill(answer, '<!--site-page-->', '<!--answer-->'),
  );
}

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

/** Fills the app's page, and the pages with the sign-in already in them, which the app replaces (web/lib/render/static-form.ts). */
async function writeAppPages(chunks, { openingIndicator, signInPages }) {
  const fonts = [await fontFile('marcellus'), await fontFile('public-sans')];
  const theme = await themeScript();
  const appFile = path.join(output, 'app.html');
  const appTemplate = await readFile(appFile, 'utf8');
  const appPage = async (screens) =>
    fill(appTemplate, THEME, `${theme}${await inlineScript(firstFiles(chunks, fonts, screens))}`);
  const app = await appPage([]);
  await writeFile(appFile, app);
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
}

console.log('Building the web app');
for (const folder of [output, site]) await rm(folder, { recursive: true, force: true });
await mkdir(output, { recursive: true });
// Each is partly one thread, partly all cores.
const [chunks, kioskChunks, , renderers] = await Promise.all([
  buildApp(),
  buildPage('kiosk'),
  buildPage('client'),
  buildRenderers(),
]);

console.log('Rendering the public site');
await writeSite(renderers);
await writeFile(path.join(output, 'site.webmanifest'), renderers.siteManifest());
await writeFile(path.join(output, 'app.webmanifest'), renderers.appManifest());
await writeFile(path.join(output, 'kiosk.webmanifest'), renderers.kioskManifest());
for (const name of ['kiosk', 'client']) {
  const page = path.join(output, `${name}.html`);
  await writeFile(page, await inline(await readFile(page, 'utf8')));
}

await buildGuide(
  root,
  output,
  {
    Marcellus: `/${await fontFile('marcellus')}`,
    'Public Sans': `/${await fontFile('public-sans')}`,
  },
  renderers.guidePage,
);

console.log('Preparing the app for use without a network');
await Promise.all([addRetries(), writeAppPages(chunks, renderers), drawIcons(output)]);
const urgent = await buildOffline(root, output, chunks, kioskChunks);
for (const page of ['index.html', 'client.html']) {
  const html = await readFile(path.join(output, page), 'utf8');
  urgent.push(...(html.match(/assets\/[\w.-]+/g) ?? []));
}
await compress(new Set(urgent));
