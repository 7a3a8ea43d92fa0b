// Phone numbers as people write them. private.e164 in the database does the same; both are tested with one list
// (tests/support/phone-examples.ts).

/** Liberia's country code, for numbers without one. */
const COUNTRY = '231';

/** Longer texts are no number. */
const MOST_CHARACTERS = 60;

/** Spaces, marks of direction, hyphens and other separators, also those that copying adds unseen. */
const SEPARATORS =
  /[\t-\r .\-/\u00A0\u00AD\u1680\u2000-\u2015\u2028-\u202F\u205F-\u2064\u2066-\u2069\u2212\u3000\uFEFF]/g;

/** @returns the number in E.164, for example "+231770123456"; undefined if the text is no phone number */
export function toE164(written: string): string | undefined {
  if (written.length > MOST_CHARACTERS) return undefined;
  const number = written
    .replace(SEPARATORS, '')
    // The trunk 0 of national numbers, which callers from abroad leave out.
    .replace(/^(\(?(?:\+|00|231)[0-9()]*)\(0\)/, '$1')
    .replace(/[()]/g, '')
    .replace(/^00/, '+')
    .replace(/^\+?2310?([1-9][0-9]{6,8})$/, `+${COUNTRY}$1`)
    .replace(/^0?([1-9][0-9]{6,8})$/, `+${COUNTRY}$1`);
  if (number.startsWith(`+${COUNTRY}`) && !/^\+231[1-9][0-9]{6,8}$/.test(number)) return undefined;
  return /^\+[1-9][0-9]{6,14}$/.test(number) ? number : undefined;
}

/** @param number E.164 @returns for example "+231 77 012 3456"; other countries' numbers unchanged */
export function formatPhone(number: string): string {
  const [, area, first, last] = /^\+231(\d{2})(\d{3})(\d{4})$/.exec(number) ?? [];
  return area === undefined ? number : `+${COUNTRY} ${area} ${first} ${last}`;
}
