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

function printableCharacter(character: string): string {
  if (KNOWN.test(character)) return character;
  const similar = SIMILAR.get(character);
  if (similar !== undefined) return similar;
  const [base = ''] = character.normalize('NFD');
  if (KNOWN.test(base)) return base;
  return OMITTED.test(character) ? '' : (SIMILAR.get(base) ?? '?');
}

/** @returns the text with similar letters for those that the fonts of our PDFs lack, without emoji */
export const printable = (text: string): string =>
  Array.from(text.normalize('NFC'), printableCharacter).join('');
