// Deterministic ids: the kind of record and its number, in the format of a random uuid.

const KINDS = [
  'account',
  'client',
  'site',
  'role',
  'shift',
  'assignment',
  'attendance',
  'incident',
  'evidence',
  'course',
  'certification',
  'leave',
  'statement',
  'expense',
  'bank account',
  'loan',
  'staff',
  'payroll',
  'deployment',
  'enquiry',
  'incident update',
] as const;
export type Kind = (typeof KINDS)[number];

/** Scrambles consecutive numbers, since screens show the first eight digits to distinguish records. */
function spread(number: number): number {
  let x = (number + 0x9e3779b9) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** @param number from 0 within its kind */
export function idOf(kind: Kind, number: number): string {
  const code = KINDS.indexOf(kind) + 1;
  return `${hex(spread(number * KINDS.length + code), 8)}-${hex(code, 4)}-4000-8000-${hex(number, 12)}`;
}
