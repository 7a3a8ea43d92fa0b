// Phone numbers as people write them. private.e164 in the database does the same.

/** Liberia's country code, for numbers without one. */
const COUNTRY = '231';

/** @returns the number in E.164, for example "+231770123456"; undefined if the text is no phone number */
export function toE164(written: string): string | undefined {
  const number = written
    .trim()
    .replace(/[ ().\-/]/g, '')
    .replace(/^00/, '+')
    .replace(/^0?([1-9][0-9]{6,8})$/, `+${COUNTRY}$1`)
    .replace(/^231([0-9]{7,9})$/, '+231$1');
  return /^\+[1-9][0-9]{6,14}$/.test(number) ? number : undefined;
}

/** @param number E.164 @returns for example "+231 77 012 3456"; other countries' numbers unchanged */
export function formatPhone(number: string): string {
  const [, area, first, last] = /^\+231(\d{2})(\d{3})(\d{4})$/.exec(number) ?? [];
  return area === undefined ? number : `+${COUNTRY} ${area} ${first} ${last}`;
}
