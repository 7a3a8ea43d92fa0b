// Builds the web app into dist/web, then renders the public site into its index.html as static HTML.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

// A test runner sets NODE_ENV for itself; what is built here is always the product.
process.env.NODE_ENV = 'production';

const root = path.join(import.meta.dirname, '..');
const output = path.join(root, 'dist', 'web');
const renderer = path.join(root, 'dist', 'site-renderer');

/** Where the site will be reached, for canonical and preview links: SITE_URL, else the company's website. */
function publicAddress(company) {
  return (process.env.SITE_URL || company.website).replace(/\/+$/, '');
}

/** The built address of the typeface of the headline. */
async function displayFont() {
  const files = await readdir(path.join(output, 'assets'));
  const file = files.find((name) => /^marcellus-.*\.woff2$/.test(name));
  if (!file) throw new Error('The build holds no Marcellus typeface.');
  return `/assets/${file}`;
}

/** Replaces a marker that must be there exactly once. */
function fill(html, marker, content) {
  const parts = html.split(marker);
  if (parts.length !== 2) throw new Error(`web/index.html must hold ${marker} exactly once.`);
  return parts.join(content);
}

console.log('Building the web app');
await build({ logLevel: 'warn' });

console.log('Rendering the public site');
await build({
  logLevel: 'warn',
  publicDir: false,
  build: {
    ssr: path.join(root, 'web', 'portals', 'site', 'render.tsx'),
    outDir: renderer,
    emptyOutDir: true,
    rollupOptions: { output: { entryFileNames: 'render.mjs' } },
  },
});
const { company, siteHead, siteManifest, sitePage } = await import(
  pathToFileURL(path.join(renderer, 'render.mjs')).href
);
const file = path.join(output, 'index.html');
const template = await readFile(file, 'utf8');
const head = siteHead(publicAddress(company), await displayFont());
const withHead = fill(template, '<!--site-head-->', head);
await writeFile(file, fill(withHead, '<!--site-page-->', sitePage()));
await writeFile(path.join(output, 'site.webmanifest'), siteManifest());
await rm(renderer, { recursive: true });
