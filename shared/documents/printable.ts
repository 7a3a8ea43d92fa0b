// The standard fonts of PDF have the characters of Windows-1252 only. jsPDF prints wrong letters for all others.
const KNOWN = /[\t\n\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/** Letters of Liberian names, and signs that we use ourselves. */
const SIMILAR = new Map([
  ['ɓ', 'b'],
  ['Ɓ', 'B'],
  ['ɖ', 'd'],
  ['Ɖ', 'D'],
  ['ɗ', 'd'],
  ['Ɗ', 'D'],
  ['ɛ', 'e'],
  ['Ɛ', 'E'],
  ['ə', 'e'],
  ['ɣ', 'g'],
  ['Ɣ', 'G'],
  ['ı', 'i'],
  ['ŋ', 'n'],
  ['Ŋ', 'N'],
  ['ɔ', 'o'],
  ['Ɔ', 'O'],
  ['ʋ', 'v'],
  ['Ʋ', 'V'],
  ['→', '->'],
  ['≤', '<='],
  ['≥', '>='],
  ['−', '-'],
  ['‑', '-'],
  ['\u2009', ' '],
  ['\u202f', ' '],
]);

const OMITTED =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{M}\p{Cf}\p{Cc}]/u;

/** What the embedded font has beyond those (fonts/README.md). */
const WIDE =
  /[\u0100-\u02e9\u02ec-\u02ee\u02f3\u02f7\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u0482\u048a-\u0525\u060c\u061b\u061f\u0621-\u063a\u0640-\u064a\u0660-\u066f\u0674\u0679-\u06bf\u06c6-\u06c8\u06cb\u06cc\u06ce\u06d0\u06d5\u06f0-\u06f9\u1e00-\u1efb\u2010-\u203f\u20a0-\u20b5\u20b8-\u20ba\u20bd\u2116-\u2122\u2190-\u2193\u2212\u2264\u2265]/;

/** @returns whether the text has letters for which the PDF needs the embedded font; signs alone are replaced */
export const needsWideFont = (text: string): boolean =>
  Array.from(text.normalize('NFC')).some(
    (character) => !KNOWN.test(character) && WIDE.test(character) && /\p{L}/u.test(character),
  );

function printableCharacter(character: string, isWide: boolean): string {
  if (KNOWN.test(character) || (isWide && WIDE.test(character))) return character;
  const similar = SIMILAR.get(character);
  if (similar !== undefined) return similar;
  const [base = ''] = character.normalize('NFD');
  if (KNOWN.test(base)) return base;
  return OMITTED.test(character) ? '' : (SIMILAR.get(base) ?? '?');
}

/**
 * @param isWide whether it is printed in the embedded font
 * @returns the text with similar letters for those that the font lacks, without emoji
 */
export const printable = (text: string, isWide = false): string =>
  Array.from(text.normalize('NFC'), (character) => printableCharacter(character, isWide)).join('');
