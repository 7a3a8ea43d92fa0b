// Builds the web app into dist/web, renders the public site into its index.html, and compresses what is served as it lies.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { transform } from 'esbuild';
import { build } from 'vite';
import { buildOffline } from './build-offline.mjs';
import { chunkGroups } from './chunks.mjs';
import { firstFiles } from './first-files.mjs';

// A test runner sets NODE_ENV for itself; what is built here is always the product.
process.env.NODE_ENV = 'production';

const root = path.join(import.meta.dirname, '..');
const output = path.join(root, 'dist', 'web');
/** What the server needs to draw pages itself; nothing in it is served. */
const site = path.join(root, 'dist', 'site');

/** @returns {Promise<string>} the built file of a typeface */
async function fontFile(family) {
  const files = await readdir(path.join(output, 'assets'));
  const file = files.find((name) => name.startsWith(family) && name.endsWith('.woff2'));
  if (!file) throw new Error(`The build holds no typeface ${family}.`);
  return `assets/${file}`;
}

/** Replaces what must be there exactly once. */
function fill(html, marker, content) {
  const parts = html.split(marker);
  if (parts.length !== 2) throw new Error(`A page must hold ${marker} exactly once.`);
  return parts.join(content);
}

const THEME = '<script src="/theme.js"></script>';

/** @returns {Promise<string>} a script of the page itself; its policy allows it by its hash */
async function inlineScript(text) {
  const { code } = await transform(text, { minify: true });
  return `<script>${code.trim()}</script>`;
}

const themeScript = async () => inlineScript(await readFile(path.join(output, 'theme.js'), 'utf8'));

/** Puts the styles and the theme script into the page: on a slow line each request before the first paint costs dearly. */
async function inline(html) {
  const [link, href] = /<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+)">/.exec(html) ?? [];
  if (!link) throw new Error('The built page names no style sheet.');
  const css = await readFile(path.join(output, href), 'utf8');
  const withStyle = fill(html, link, `<style>${css.trim()}</style>`);
  return fill(withStyle, THEME, await themeScript());
}

/** Every text file of some size gets a .br and a .gz beside it. */
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

console.log('Rendering the public site');
await rm(site, { recursive: true, force: true });
await build({
  logLevel: 'warn',
  publicDir: false,
  build: {
    manifest: false,
    ssr: path.join(root, 'web', 'portals', 'site', 'render.tsx'),
    outDir: site,
    emptyOutDir: true,
    rollupOptions: { output: { entryFileNames: 'render.mjs' } },
  },
});
const renderer = pathToFileURL(path.join(site, 'render.mjs')).href;
const { answerHead, appManifest, siteHead, siteManifest, sitePage } = await import(renderer);
const file = path.join(output, 'index.html');
const template = await inline(await readFile(file, 'utf8'));

const landing = fill(template, '<!--site-head-->', siteHead(`/${await fontFile('marcellus')}`));
await writeFile(file, fill(landing, '<!--site-page-->', sitePage()));

// The answer to a posted form needs no script: who gets it has none.
const plain = template.replace(
  /\s*<(script type="module"|link rel="modulepreload")[^>]*>(<\/script>)?/g,
  '',
);
const answer = fill(plain, '<!--site-head-->', answerHead());
await writeFile(path.join(site, 'answer.html'), fill(answer, '<!--site-page-->', '<!--answer-->'));
await writeFile(path.join(output, 'site.webmanifest'), siteManifest());
await writeFile(path.join(output, 'app.webmanifest'), appManifest());

console.log('Preparing the app for use without a network');
const listFile = path.join(output, '.build.json');
const chunks = JSON.parse(await readFile(listFile, 'utf8'));
// It is for the build alone, and not to be served.
await rm(listFile);
const fonts = [await fontFile('marcellus'), await fontFile('public-sans')];
const appFile = path.join(output, 'app.html');
const scripts = `${await themeScript()}${await inlineScript(firstFiles(chunks, fonts))}`;
await writeFile(appFile, fill(await readFile(appFile, 'utf8'), THEME, scripts));
await buildOffline(root, output, chunks);
await compress();
