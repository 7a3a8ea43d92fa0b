import { parseSearchWith } from '@tanstack/react-router';

/** JSON, with numbers left as text unless every digit survives: `q=2438e538`, `q=007` and long account numbers are searched as typed. */
function parseValue(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return typeof value === 'number' ? text : value;
}

/**
 * Reads the search parameters of an address, for TanStack Router. Numbers that JavaScript would write in the same way
 * are numbers, other numbers are text.
 */
export const parseSearch = parseSearchWith(parseValue);
