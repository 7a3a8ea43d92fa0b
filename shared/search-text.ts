// Text as searches compare it. private.folded and private.search_patterns in the database do the same;
// tests/rules/platform/search.test.ts holds both together.

const MAX_CHARACTERS = 200;
const MAX_WORDS = 8;

/** Apostrophes, hyphens and dots, and the marks that people write in phone numbers. */
const MARKS = /['’‘ʼʻ′´`\-‐‑‒–—.()+/]/g;
const ACCENTS = /[\u0300-\u036f]/g;
/** Letters that Unicode does not decompose. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ...[...'łøđðıŋɛɔɓɗħς'].map((letter, at) => [letter, 'loddineobdhσ'.charAt(at)] as const),
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
]);
const LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g');

/** @returns the text without accents, apostrophes, hyphens and dots, in lower case */
export const foldText = (text: string): string =>
  text
    .replace(MARKS, '')
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS.get(letter) ?? letter);

/** A phone number is one word, however it is spaced. */
function joinNumber(text: string): string {
  const joined = text.replace(/\s+/g, '');
  const isNumber =
    /^\(?(?:\+|0|231)[0-9().+/-]*$/.test(joined) && joined.replace(/[^0-9]/g, '').length >= 7;
  return isNumber ? joined : text;
}

/** @returns the folded words of a search; phone numbers without country code and trunk 0 */
export const searchWords = (text: string): string[] =>
  joinNumber(text.slice(0, MAX_CHARACTERS))
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map((word) => foldText(word).replace(/^(?=[0-9]{6,}$)(?:(?:00)?231)?0?([0-9]{4,})$/, '$1'))
    .filter((word) => word !== '');

/** @param words from searchWords @returns whether each of them occurs in the text */
export function hasWords(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const folded = foldText(text);
  return words.every((word) => folded.includes(word));
}
