// Codes of checkpoints: two digits for the number at the site, five random characters, a check character. The database
// computes the same (private.check_character).

import { CODE_ALPHABET } from '#shared/database.limits.ts';

const LENGTH = 8;

/** Letters that people read for others. */
const MISREAD: Record<string, string> = { O: '0', I: '1', L: '1', S: '5', U: 'V' };

/** Without spaces and hyphens, in capitals, misread letters replaced. */
export const tidyCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll(/[OILSU]/g, (letter) => MISREAD[letter] ?? letter);

const placeOf = (character: string | undefined) => CODE_ALPHABET.indexOf(character ?? '');

/** @returns the checkpoint's number at its site; undefined for a code with a typing error, or of something else */
export function numberOfCode(typed: string): number | undefined {
  const code = tidyCode(typed);
  if (code.length !== LENGTH || !/^\d\d/.test(code)) return undefined;
  const sum = [...code].slice(0, -1).reduce((total, one, at) => total + (at + 1) * placeOf(one), 0);
  return sum % CODE_ALPHABET.length === placeOf(code.at(-1)) ? Number(code.slice(0, 2)) : undefined;
}

/** As labels show it: "07K3 QX9F". */
export const spacedCode = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;
