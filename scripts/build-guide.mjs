// Renders the guide of docs/guide into dist/web/guide: a page for each role, its pictures, one style sheet.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Marked } from 'marked';
import sharp from 'sharp';
import { anchorOf } from './heading-anchor.mjs';

/** Addresses are whole: the index answers at /guide as well as at /guide/. */
const GUIDE = '/guide/';

/** README.md is the index of a folder on GitHub, index.html on a server. */
const pageName = (document) =>
  document === 'README.md' ? 'index.html' : document.replace(/\.md$/, '.html');

/** Colours of both themes. The rest of the file is Tailwind's. */
async function themeColours(root) {
  const css = await readFile(path.join(root, 'web', 'styles', 'theme.css'), 'utf8');
  const [colours] = /^:root \{[\s\S]*?(?=^@theme inline)/m.exec(css) ?? [];
  if (!colours) throw new Error('web/styles/theme.css has no :root before its @theme inline.');
  return colours;
}

/**
 * @param {Record<string, string>} fonts address of the file of each family
 * @returns {Promise<string>} the style sheet
 */
async function styleSheet(root, fonts) {
  const faces = Object.entries(fonts).map(
    ([family, file]) =>
      `@font-face { font-family: "${family}"; font-weight: 100 900; font-display: swap; src: url("${file}") format("woff2"); }`,
  );
  const own = await readFile(path.join(root, 'web', 'styles', 'guide.css'), 'utf8');
  return [...faces, await themeColours(root), own].join('\n');
}

/** @returns {Promise<Map<string, string>>} attributes of each picture, so that the text does not move when it has loaded */
async function sizesOf(folder) {
  const sizes = new Map();
  for (const name of await readdir(folder)) {
    const { width, height } = await sharp(path.join(folder, name)).metadata();
    const look = height > width ? ' class="phone"' : '';
    sizes.set(`pictures/${name}`, `width="${width}" height="${height}"${look}`);
  }
  return sizes;
}

/** @param {Map<string, string>} sizes of the pictures */
const renderer = (sizes) => ({
  heading({ tokens, depth, text }) {
    return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  },
  link({ href, tokens }) {
    const [file, anchor] = href.split('#');
    const address = file.endsWith('.md') ? `${GUIDE}${pageName(file)}` : file;
    const text = this.parser.parseInline(tokens);
    return `<a href="${anchor === undefined ? address : `${address}#${anchor}`}">${text}</a>`;
  },
  image({ href, text }) {
    if (!sizes.has(href)) throw new Error(`The guide shows ${href}, which does not exist.`);
    return `<img src="${GUIDE}${href}" alt="${text}" ${sizes.get(href)} loading="lazy">`;
  },
  paragraph({ tokens }) {
    const content = this.parser.parseInline(tokens);
    const isPicture = tokens.length === 1 && tokens[0].type === 'image';
    return isPicture ? `<figure>${content}</figure>\n` : `<p>${content}</p>\n`;
  },
});

/** @returns {string} the text of the document's title */
function titleOf(markdown, document) {
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  if (!title) throw new Error(`${document} has no title.`);
  return title;
}

/** @returns {{ anchor: string, heading: string }[]} */
const sectionsOf = (markdown) =>
  [...markdown.matchAll(/^## (.+)$/gm)].map(([, heading]) => ({
    anchor: anchorOf(heading),
    heading,
  }));

/**
 * @param {string} output the folder that is served
 * @param {Record<string, string>} fonts address of the file of each family
 * @param {(page: object) => string} guidePage the page around a document (web/portals/site/guide-page.ts)
 */
export async function buildGuide(root, output, fonts, guidePage) {
  const source = path.join(root, 'docs', 'guide');
  const target = path.join(output, 'guide');
  await mkdir(target, { recursive: true });
  await cp(path.join(source, 'pictures'), path.join(target, 'pictures'), { recursive: true });
  await writeFile(path.join(target, 'guide.css'), await styleSheet(root, fonts));
  const marked = new Marked({ renderer: renderer(await sizesOf(path.join(source, 'pictures'))) });
  const index = await readFile(path.join(source, 'README.md'), 'utf8');
  // In the order of the index.
  const documents = [
    'README.md',
    ...new Set([...index.matchAll(/\]\((\w+\.md)\)/g)].map(([, document]) => document)),
  ];
  const pages = await Promise.all(
    documents.map(async (document) => {
      const markdown = await readFile(path.join(source, document), 'utf8');
      return { name: pageName(document), title: titleOf(markdown, document), markdown };
    }),
  );
  for (const { name, title, markdown } of pages) {
    const html = guidePage({
      name,
      title,
      sections: sectionsOf(markdown),
      content: marked.parse(markdown),
      pages,
    });
    await writeFile(path.join(target, name), html);
  }
}
