// Reads search parameters of addresses. By hand, because Zod is a tenth of the code of the office's first screen, which knows
// the addresses of all screens.

import { isDay } from '../format/is-day.ts';

/** Reads the value of one parameter. @returns undefined if no control writes such a value */
export type SearchField<Value> = (value: unknown) => Value | undefined;

type Fields = Readonly<Record<string, SearchField<unknown>>>;

type Parsed<Shape extends Fields> = {
  [Name in keyof Shape]?: ReturnType<Shape[Name]>;
};

/** The parameters that a function made by `defineSearch` returns. */
export type SearchOf<Read extends (search: Record<string, unknown>) => object> = ReturnType<Read>;

/**
 * The parameters of one screen: `validateSearch` of its route. Others are dropped, and so are invalid values.
 * @param fields by parameter
 */
export function defineSearch<Shape extends Fields>(
  fields: Shape,
): (search: Record<string, unknown>) => Parsed<Shape>;
export function defineSearch(fields: Fields) {
  const names = Object.keys(fields);
  return (search: Record<string, unknown>): object => {
    const present = names.filter((name) => Object.hasOwn(search, name));
    return Object.fromEntries(present.map((name) => [name, fields[name]?.(search[name])]));
  };
}

/** Objects and null have no place in an address that a control writes, and `{"toString":0}` can't become text. */
const isTyped = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

export const oneOf =
  <const Value extends string | number>(values: readonly Value[]): SearchField<Value> =>
  (value) =>
    values.find((each) => each === value);

/** @param fits checks the whole text */
export const text =
  (fits: (text: string) => boolean = () => true): SearchField<string> =>
  (value) =>
    typeof value === 'string' && fits(value) ? value : undefined;

/** @param most UTF-16 code units */
export const textUpTo = (most: number) => text(({ length }) => length <= most);

export const matching = (pattern: RegExp) => text((value) => pattern.test(value));

/** RFC 9562, and its nil and max UUIDs. */
export const uuid = matching(
  /^([\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}|0{8}-(0{4}-){3}0{12}|f{8}-(f{4}-){3}f{12})$/i,
);

/** A day of the calendar, yyyy-MM-dd. */
export const day = text(isDay);

/** The search text of a list, without spaces at its ends. The router reads digits as a number. */
export const searchText: SearchField<string> = (value) => {
  if (!isTyped(value)) return undefined;
  const trimmed = String(value).trim();
  return trimmed.length <= 200 ? trimmed : undefined;
};

/** From 1. @param most inclusive */
export const countUpTo =
  (most: number): SearchField<number> =>
  (value) => {
    const count = isTyped(value) ? Number(value) : 0;
    return Number.isInteger(count) && count >= 1 && count <= most ? count : undefined;
  };

export const either =
  <First, Second>(
    first: SearchField<First>,
    second: SearchField<Second>,
  ): SearchField<First | Second> =>
  (value) =>
    first(value) ?? second(value);
