// The guide names what is on the screens: its labels exist in the product, Help leads to its headings, and every page has pictures.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAppPath } from '#shared/app-paths.ts';
import { screens } from '#shared/screens.ts';
import { GUIDE, helpAddress } from '#web/portals/admin/help.ts';
import { anchorOf } from './heading-anchor.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const filesBelow = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join(folder, name),
  );

const PAGES = filesBelow('docs/guide').filter((name) => name.endsWith('.md'));
const inPages = (check: (text: string) => string[]): string[] =>
  PAGES.flatMap((page) => check(read(page)).map((found) => `${path.basename(page)}: ${found}`));

// ── Labels ──────────────────────────────────────────────────────────────────

/** Keys, and what the guide says about itself. */
const NO_LABELS = new Set(['bold', 'Ctrl+B', 'Ctrl+K', 'Enter']);

const sources = [...filesBelow('web'), ...filesBelow('shared'), ...filesBelow('supabase/schemas')]
  .filter((name) => /\.(?:tsx?|sql)$/.test(name) && !name.endsWith('.test.ts'))
  .filter((name) => !name.startsWith('shared/database.'));
/** What is between quotes, tags and line ends of the sources, without comments. */
const TEXTS = new Set(
  sources
    .map(read)
    .join('\n')
    .replace(/^\s*(?:\/\/|--|\/?\*).*$/gm, '')
    .split(/['"`<>{}\n]/)
    .map((text) => text.trim()),
);

/** Whether it is a text of its own. Texts have typographic apostrophes. */
const isOnScreen = (label: string): boolean => TEXTS.has(label.replaceAll("'", '’'));

const labelsOf = (text: string): string[] =>
  [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label.replace(/\s+/g, ' '));

// ── Help ────────────────────────────────────────────────────────────────────

const adminPaths = filesBelow('web/portals/admin/routes')
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => [...read(name).matchAll(/'(\/(?!admin)[a-z][^']*)'/g)])
  .map(([, route = '']) => `/admin${route}`);

/** @returns what an address of the guide lacks */
function faultOf(address: string): string | undefined {
  const [, name = '', anchor] = /^\/guide\/(\w+)\.html(?:#(.+))?$/.exec(address) ?? [];
  const page = `docs/guide/${name === 'index' ? 'README' : name}.md`;
  if (!PAGES.includes(page)) return `no page ${page}`;
  if (anchor === undefined) return undefined;
  const anchors = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, it = '']) => anchorOf(it));
  return anchors.includes(anchor) ? undefined : `no heading ${anchor} in ${page}`;
}

describe('the guide', () => {
  it('names only labels that are on a screen', () => {
    const unknown = (text: string) =>
      labelsOf(text).filter((label) => !NO_LABELS.has(label) && !isOnScreen(label));
    expect(inPages(unknown)).toEqual([]);
  });

  it('takes words that are only part of a text for no label', () => {
    expect(isOnScreen('Publish the roster')).toBe(true);
    expect(isOnScreen('Publish the')).toBe(false);
    expect(isOnScreen("Don't pay")).toBe(true);
  });

  it('has pictures on every page, each with a text for those who do not see it', () => {
    const pictures = (text: string) => [
      ...text.matchAll(/!\[([^\]]*)\]\(pictures\/[\w-]+\.webp\)/g),
    ];
    expect(PAGES.filter((page) => pictures(read(page)).length === 0)).toEqual([]);
    expect(inPages((text) => pictures(text).map(([, alt = '']) => alt))).not.toContainEqual(
      expect.stringMatching(/: .{0,20}$/),
    );
  });

  it('links every page from its index', () => {
    const links = [...read('docs/guide/README.md').matchAll(/\]\((\w+\.md)\)/g)];
    const expected = PAGES.map((page) => path.basename(page)).filter(
      (name) => name !== 'README.md',
    );
    expect(links.map(([, name]) => name).sort()).toEqual(expected.sort());
  });
});

describe('Help', () => {
  const paths = [...screens.map((screen) => screen.path), ...adminPaths, '/admin/people/new'];

  it('knows the screens', () => {
    expect(adminPaths).toContain('/admin/roster/posts/orders');
    expect(paths.filter((it) => !isAppPath(it))).toEqual([]);
  });

  it('has a section of the guide for every screen', () => {
    const index = helpAddress('/nowhere');
    expect(paths.filter((it) => helpAddress(it) === index)).toEqual([]);
    expect(paths.flatMap((it) => faultOf(helpAddress(it)) ?? [])).toEqual([]);
  });

  it('of guards and of supervisors on their round leads to their pages', () => {
    const links = [...TEXTS].filter((text) => text.startsWith(GUIDE) && text.includes('.html'));
    expect(links).toEqual(
      expect.arrayContaining([`${GUIDE}guard.html`, `${GUIDE}supervisor.html#muster`]),
    );
    expect(links.flatMap((link) => faultOf(link) ?? [])).toEqual([]);
  });

  it('opens that of the most specific screen', () => {
    expect(helpAddress('/admin/roster/posts/orders')).toBe(
      `${GUIDE}planner.html#post-orders-and-patrols`,
    );
    expect(helpAddress('/admin/sites/1b2c')).toBe(`${GUIDE}planner.html#a-sites-page`);
    expect(helpAddress('/admin/sites')).toBe(`${GUIDE}planner.html#clients-and-sites`);
    expect(helpAddress('/admin/payruns/1b2c')).toBe(helpAddress('/admin/payruns'));
    expect(helpAddress('/admin/shifts/')).toBe(helpAddress('/admin/shifts'));
  });

  it('opens the index for what it does not know', () => {
    for (const address of ['/nowhere', '/admin/nowhere'])
      expect(helpAddress(address)).toBe(`${GUIDE}index.html`);
  });
});
