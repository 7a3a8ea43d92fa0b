// Documents name files, folders, commands, functions and columns: each of them exists, and the index lists every document.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anchorOf } from './heading-anchor.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const SKIPPED =
  /^(?:\.git|\.cache|data|test-results|playwright-report)\/$|(?:^|\/)(?:node_modules|dist)\/$/;

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** @returns files and folders below a folder, relative to the root; folders end with a slash */
function entriesBelow(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [folder + entry.name];
    const name = `${folder}${entry.name}/`;
    return SKIPPED.test(name) ? [] : [name, ...entriesBelow(name)];
  });
}

const ENTRIES = entriesBelow('');
// Fixtures describe the tree of the release that made them.
const DOCUMENTS = ENTRIES.filter((name) => name.endsWith('.md') && !name.includes('/fixtures/'));

/** Text without fenced blocks, whose paths may be of other machines. */
const proseOf = (document: string): string => read(document).replace(/^```[\s\S]*?^```$/gm, '');

const quotedIn = (document: string): string[] =>
  [...proseOf(document).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

/** @returns what a check finds in any document, with the document's name */
const inDocuments = (check: (document: string) => string[]): string[] =>
  DOCUMENTS.flatMap((document) => check(document).map((found) => `${document}: ${found}`));

// ── Links ───────────────────────────────────────────────────────────────────

function brokenLinks(document: string): string[] {
  const targets = [...proseOf(document).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
    .map(([, link, attribute]) => link ?? attribute ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
  return targets.filter((target) => {
    const [file = '', anchor] = target.split('#');
    const name = file === '' ? document : path.posix.join(path.posix.dirname(document), file);
    if (!ENTRIES.includes(name) && !ENTRIES.includes(`${name.replace(/\/$/, '')}/`)) return true;
    if (anchor === undefined) return false;
    const headings = [...proseOf(name).matchAll(/^#+ (.*)$/gm)];
    return !headings.some(([, heading = '']) => anchorOf(heading) === anchor);
  });
}

// ── Paths in backticks ──────────────────────────────────────────────────────

const FILE = /\.(?:ts|tsx|mjs|css|html|sql|toml|json|md|svg|service|conf|yml|yaml)$/;
/** Not of this tree: addresses, types of content, packages, time zones, what a server writes, files that readers make. */
const FOREIGN = [
  /^[/@~.<]/,
  /^(?:text|image|application|audio|video)\//,
  /^(?:Africa|America|Europe|Asia|Etc)\//,
  /^(?:supabase-in-node|…|DATA_DIR|dist|data|node_modules|outbox)(?:\/|$)/,
  /^(?:data\.json|postgresql\.conf|http\/json)$/,
  /[:=$()'"&|?%\\]|\s/,
];

/** `*`, `<name>` and `NN` match anything within a segment, `**` and `…` anything, `{a,b}` one of these. */
function patternOf(name: string): RegExp {
  const source = name
    .replace(/\/$/, '')
    .replace(/[.+^]/g, '\\$&')
    .replace(/\*\*|…/g, '\0')
    .replace(/\*|<[^>]*>|NN/g, '[^/]*')
    .replaceAll('\0', '.*')
    .replace(/\{([^}]*)\}/g, (_, choices: string) => `(?:${choices.replaceAll(',', '|')})`);
  return new RegExp(`(?:^|/)${source}/?$`);
}

const isPath = (text: string): boolean =>
  (text.includes('/') || FILE.test(text)) && !FOREIGN.some((foreign) => foreign.test(text));

/** A path may begin anywhere: `api.ts`, `services/rest`. */
const exists = (name: string): boolean => {
  const pattern = patternOf(name);
  return ENTRIES.some((entry) => pattern.test(entry));
};

const missingPaths = (document: string): string[] =>
  quotedIn(document).filter((text) => isPath(text) && !exists(text));

const COMMENT = /(?:^|\s)(?:\/\/|--|\/?\*)\s.*$/gm;
const NAMED_FILE =
  /\b(?:backend|bench|demo|docs|scripts|server|shared|supabase|tests|web)\/[\w./-]+\.(?:ts|tsx|mjs|sql|md)\b/g;

/** Comments name files from the root. */
const missingInComments = (source: string): string[] =>
  (read(source).match(COMMENT) ?? [])
    .flatMap((comment) => comment.match(NAMED_FILE) ?? [])
    .filter((name) => !ENTRIES.includes(name));

// ── Names of code ───────────────────────────────────────────────────────────

const NAME =
  /^(?:[a-z_]+\.)?([a-z][a-z0-9]*(?:_[a-z0-9]+)+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?:\(.*\))?$/;
/** Names of PostgreSQL, proxies, browsers and packages that we don't use. */
const FOREIGN_NAME =
  /^(?:pg_\w+|archive_command|pool_mode|client_max_body_size|large_client_header_buffers|dangerouslySetInnerHTML|jsQR|persistQueryClient)$/;

const SOURCES = ENTRIES.filter((name) => /\.(?:ts|tsx|mjs|sql|css|html|toml|json)$/.test(name));
const OWN_FILE = path.relative(ROOT, import.meta.filename);
const WORDS = new Set(
  SOURCES.filter((name) => name !== OWN_FILE).flatMap((name) => read(name).match(/\w+/g) ?? []),
);

const missingNames = (document: string): string[] =>
  quotedIn(document).filter((text) => {
    const name = NAME.exec(text)?.[1];
    return name !== undefined && !WORDS.has(name) && !FOREIGN_NAME.test(name);
  });

// ── Commands ────────────────────────────────────────────────────────────────

const Package = z.object({ scripts: z.record(z.string(), z.string()) });
const SCRIPTS = new Set(
  ['package.json', 'backend/package.json'].flatMap((file) =>
    Object.keys(Package.parse(JSON.parse(read(file))).scripts),
  ),
);

const missingCommands = (document: string): string[] =>
  [...read(document).matchAll(/\bnpm run ([\w:-]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !SCRIPTS.has(name));

// ── Decisions ───────────────────────────────────────────────────────────────

const PARTS = ['## Context', '## Decision', '## Consequences'];

/** @returns what a record lacks: its number and title, a date with a status, its three parts, 40 lines at most */
function faultsOfRecord(document: string): string[] {
  const lines = read(document).trimEnd().split('\n');
  const number = path.basename(document).slice(0, 4);
  return [
    ...(lines[0]?.startsWith(`# ${number} `) ? [] : ['title']),
    ...(/^\d{4}-\d\d-\d\d · accepted/.test(lines[2] ?? '') ? [] : ['date and status']),
    ...PARTS.filter((part) => !lines.includes(part)),
    ...(lines.length > 40 ? [`${lines.length} lines`] : []),
  ];
}

describe('documents', () => {
  it('have links that lead somewhere', () => {
    expect(inDocuments(brokenLinks)).toEqual([]);
  });

  it('name files and folders that exist', () => {
    expect(inDocuments(missingPaths)).toEqual([]);
  });

  it('name files that exist, also where they are comments of the code', () => {
    const commented = SOURCES.filter((name) => !name.includes('/migrations/'));
    const missing = commented.flatMap((name) =>
      missingInComments(name).map((it) => `${name}: ${it}`),
    );
    expect(missing).toEqual([]);
  });

  it('name functions, columns and settings that the code has', () => {
    const guide = 'docs/first-change.md: ';
    expect(inDocuments(missingNames).filter((found) => !found.startsWith(guide))).toEqual([]);
  });

  it('name commands of package.json', () => {
    expect(inDocuments(missingCommands)).toEqual([]);
  });

  it('below docs are linked from the index, each once', () => {
    const links = [...read('docs/README.md').matchAll(/\]\(([^)#]+\.md)\)/g)]
      .map(([, link = '']) => path.posix.join('docs', link))
      .filter((name) => name.startsWith('docs/'));
    const expected = DOCUMENTS.filter((name) => /^docs\/(?!README)/.test(name));
    expect(links.sort()).toEqual(expected.sort());
  });

  it('show every picture below docs', () => {
    const text = DOCUMENTS.map(read).join('\n');
    const pictures = ENTRIES.filter((name) => /^docs\/.*(?<!\/|\.md)$/.test(name));
    expect(pictures.filter((name) => !text.includes(path.basename(name)))).toEqual([]);
  });

  it('that are decisions have their parts, in 40 lines', () => {
    const records = DOCUMENTS.filter((name) => name.startsWith('docs/decisions/'));
    const faults = records.flatMap((name) => faultsOfRecord(name).map((it) => `${name}: ${it}`));
    expect(faults).toEqual([]);
  });
});
