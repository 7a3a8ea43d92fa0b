// Which tests `npm test -- <words>` means.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './setup.mjs';

const FOLDERS = ['backend', 'bench', 'demo', 'scripts', 'server', 'shared', 'tests', 'web'];
const JOURNEY = /\.spec\.ts$/;
const TEST = /\.(?:test|spec)\.ts$/;

function testFiles() {
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true })
      .filter((name) => TEST.test(name) && !name.includes('node_modules'))
      .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/'))),
  );
}

/** Also what a test file is made of: modules in the folder that has its name. */
function textOf(file) {
  const folder = path.join(ROOT, file.replace(TEST, ''));
  const parts = readdirSync(path.dirname(folder)).includes(path.basename(folder))
    ? readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
    : [];
  return [path.join(ROOT, file), ...parts.map(({ name }) => path.join(folder, name))]
    .map((name) => readFileSync(name, 'utf8'))
    .join('\n')
    .toLowerCase();
}

/** Matches the text in upper or lower case, because Vitest takes no flags. */
const anyCase = (text) =>
  text
    .replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    .replaceAll(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);

/**
 * A word that is part of the path of a test file chooses files; the others must all be in the title of a test.
 * @param {string[]} words
 * @returns {{ vitest: string[], journeys: string[], title: string | undefined, searched: string[] }} files of each runner; regular
 * expression for the titles; the words that no path contains
 */
export function findTests(words) {
  const files = testFiles();
  const has = (file, word) => file.toLowerCase().includes(word.toLowerCase().replace(/^\.\//, ''));
  const places = words.filter((word) => files.some((file) => has(file, word)));
  const titles = words.filter((word) => !places.includes(word));
  const chosen = files.filter(
    (file) =>
      (places.length === 0 || places.some((word) => has(file, word))) &&
      (titles.length === 0 || titles.every((word) => textOf(file).includes(word.toLowerCase()))),
  );
  const each = titles.map((word) => `(?=[\\s\\S]*${anyCase(word)})`).join('');
  return {
    vitest: chosen.filter((file) => !JOURNEY.test(file)),
    journeys: chosen.filter((file) => JOURNEY.test(file)),
    title: each === '' ? undefined : `^${each}`,
    searched: titles,
  };
}
