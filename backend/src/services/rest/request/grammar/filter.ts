// `[not.]operator[(modifier)].value` (PostgREST docs, "Operators").
import { tooComplex } from '../../errors/catalogue.ts';
import {
  type Condition,
  type Logic,
  type Operation,
  QUANTIFIED,
  type QuantifiedName,
  SEARCH,
  type SearchName,
  SIMPLE,
  type SimpleName,
} from '../model.ts';
import type { Cursor } from './cursor.ts';
import { field, quoted, typeName } from './names.ts';

const OPERATOR = /[a-z]+/y;
const REST = /.*/sy;
const UNTIL_COMMA = /[^,)]*/y;
const BRACES = /\{[^{}]*\}/y;
const IS_VALUES = ['null', 'not_null', 'true', 'false', 'unknown'] as const;
const LABEL = 'operator (eq, gt, ...)';

type ReadValue = (cursor: Cursor) => string | undefined;

/** The value of a filter in a parameter of its own: everything that is left. */
export const wholeValue: ReadValue = (cursor) => cursor.take(REST);

/** A value inside a list or a logic tree: quoted, or up to a comma or closing parenthesis. */
function listValue(cursor: Cursor): string | undefined {
  const inQuotes = cursor.attempt(() => {
    const value = quoted(cursor);
    const next = cursor.peek();
    return next === undefined || next === ',' || next === ')' ? value : undefined;
  });
  return inQuotes ?? cursor.take(UNTIL_COMMA);
}

/** As in a list, but an array literal's braces may contain commas. */
const logicValue: ReadValue = (cursor) =>
  cursor.peek() === '{' ? (cursor.take(BRACES) ?? listValue(cursor)) : listValue(cursor);

function valueList(cursor: Cursor): string[] | undefined {
  cursor.spaces();
  if (!cursor.char('(')) return undefined;
  cursor.spaces();
  const values = cursor.list(() => listValue(cursor));
  if (values === undefined || !cursor.char(')')) return undefined;
  cursor.spaces();
  // PostgREST reads `in.()` as an empty list, not as a list with one empty string.
  return values.length === 1 && values[0] === '' ? [] : values;
}

function isOperation(cursor: Cursor): Operation | undefined {
  const rest = cursor.text.slice(cursor.pos).toLowerCase();
  const found = IS_VALUES.find((value) => rest.startsWith(value));
  if (found === undefined) {
    return cursor.missWord('isVal: (null, not_null, true, false, unknown)');
  }
  cursor.pos += found.length;
  return { kind: 'is', value: found === 'not_null' ? 'not null' : found };
}

const has = <T extends object>(table: T, name: string): name is Extract<keyof T, string> =>
  Object.hasOwn(table, name);

function withOperator(cursor: Cursor, name: string, readValue: ReadValue): Operation | undefined {
  const dotted = (): string | undefined => (cursor.delimiter() ? readValue(cursor) : undefined);
  if (name === 'in') {
    const values = cursor.delimiter() ? valueList(cursor) : undefined;
    return values && { kind: 'in', values };
  }
  if (name === 'is') return cursor.delimiter() ? isOperation(cursor) : undefined;
  if (name === 'isdistinct') {
    const value = dotted();
    return value === undefined ? undefined : { kind: 'distinct', value };
  }
  if (has<typeof SIMPLE>(SIMPLE, name)) {
    const value = dotted();
    const operator: SimpleName = name;
    return value === undefined ? undefined : { kind: 'simple', operator, value };
  }
  if (has<typeof SEARCH>(SEARCH, name)) {
    const language = modifier(cursor, () => typeName(cursor));
    const value = language === false ? undefined : dotted();
    const operator: SearchName = name;
    if (value === undefined || language === false) return undefined;
    return { kind: 'search', operator, value, ...(language && { language }) };
  }
  if (!has<typeof QUANTIFIED>(QUANTIFIED, name)) return undefined;
  const quantifier = modifier(cursor, () =>
    cursor.word('any') ? 'any' : cursor.word('all') ? 'all' : undefined,
  );
  const value = quantifier === false ? undefined : dotted();
  const operator: QuantifiedName = name;
  if (value === undefined || quantifier === false) return undefined;
  return { kind: 'quantified', operator, value, ...(quantifier && { quantifier }) };
}

/** @returns what is between parentheses; undefined when there are none, false when they contain something else */
function modifier<T>(cursor: Cursor, read: () => T | undefined): T | undefined | false {
  if (cursor.peek() !== '(') return undefined;
  cursor.pos += 1;
  const found = read();
  return found !== undefined && cursor.char(')') ? found : false;
}

export function condition(cursor: Cursor, readValue: ReadValue): Condition | undefined {
  const negated = cursor.text.startsWith('not.', cursor.pos);
  if (negated) cursor.pos += 4;
  const start = cursor.pos;
  const name = cursor.take(OPERATOR) ?? '';
  const operation = withOperator(cursor, name, readValue);
  if (operation !== undefined) return { negated, operation };
  if (cursor.pos === start || !isOperator(name)) {
    // PostgREST tries `not` first and reports the character at which that failed.
    const found = cursor.text[start + (negated ? 0 : commonPrefix(cursor.text, 'not', start))];
    const shown = found === undefined ? 'end of input' : JSON.stringify(found);
    cursor.pos = start;
    cursor.missAs(shown, negated ? [LABEL] : ['"not"', LABEL], start);
  }
  return undefined;
}

/** @returns how many characters of the word are at `start` */
function commonPrefix(text: string, word: string, start: number): number {
  let same = 0;
  while (same < word.length && text[start + same] === word[same]) same += 1;
  return same;
}

function isOperator(name: string): boolean {
  return (
    ['in', 'is', 'isdistinct'].includes(name) ||
    [SIMPLE, SEARCH, QUANTIFIED].some((table) => Object.hasOwn(table, name))
  );
}

/** Whether the value of a query parameter is a filter, where it could also be an argument of a function. */
export function looksLikeFilter(value: string): boolean {
  const [first = '', second, third] = value.split('.');
  if (first === 'not') return second !== undefined && third !== undefined;
  return value.includes('.') && isOperator(first.split('(')[0] ?? '');
}

// `and`/`or` trees: `(a.eq.1,not.and(b.gt.2,c.is.null))` (PostgREST docs, "Logical operators").

const BEGINNING = /^(not\.)?(and|or)?/;
const GROUP = /\s*(?:not\.)?(?:and|or)\s*(?=\()/y;

/** Parses a group (`and(…)`, `or(…)`) or a filter. @param most levels of nesting */
export function logicTree(cursor: Cursor, most: number, depth = 0): Logic | undefined {
  const head = cursor.take(GROUP)?.trim();
  if (head === undefined) {
    const start = cursor.pos;
    return logicFilter(cursor) ?? noGroup(cursor, start);
  }
  if (depth >= most) throw tooComplex('nested logic groups', most);
  cursor.pos += 1;
  const terms = cursor.list(() => {
    cursor.spaces();
    const term = logicTree(cursor, most, depth + 1);
    if (term !== undefined) cursor.spaces();
    return term;
  });
  if (terms === undefined || !cursor.char(')')) return undefined;
  cursor.spaces();
  const negated = head.startsWith('not.');
  return { kind: 'group', negated, operator: head.endsWith('or') ? 'or' : 'and', terms };
}

/** Reports a text that begins like a group as PostgREST does. */
function noGroup(cursor: Cursor, start: number): undefined {
  cursor.pos = start;
  const [, not, operator] = BEGINNING.exec(cursor.text.slice(start)) ?? [];
  if (not === undefined && operator === undefined) return undefined;
  cursor.pos += (not ?? '').length + (operator ?? '').length;
  return cursor.onlyMissWord(operator === undefined ? 'logic operator (and, or)' : '"("');
}

function logicFilter(cursor: Cursor): Logic | undefined {
  const start = cursor.pos;
  const column = field(cursor);
  if (column === undefined) {
    if (cursor.pos === start) {
      cursor.missWord('negation operator (not)', 'logic operator (and, or)');
    }
    return undefined;
  }
  if (!cursor.delimiter()) return undefined;
  const found = condition(cursor, logicValue);
  return found && { kind: 'filter', filter: { field: column, ...found } };
}
