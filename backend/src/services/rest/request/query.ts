import { arrayElements, patternProblem } from '../../../database/sql-text.ts';
import { costlyPattern, invalidRange, searchTooLong, tooComplex } from '../errors/catalogue.ts';
import { decodeQuery } from './decode.ts';
import { readAll } from './grammar/cursor.ts';
import { condition, logicTree, looksLikeFilter, wholeValue } from './grammar/filter.ts';
import { columnList, treePath } from './grammar/names.ts';
import { orderTerms, selectList } from './grammar/select.ts';
import type { At, Filter, Limits, Logic, Operation, Query, SelectItem } from './model.ts';

const EVERYTHING: SelectItem[] = [{ kind: 'field', field: { name: '*', path: [] } }];
const WHOLE = /^[+-]?\d+$/;

type Pair = [name: string, value: string];

function pathOf(name: string): string[] {
  return readAll(name, 'tree path', treePath).path;
}

function readFilter([name, value]: Pair): At<Filter> {
  const { path, field } = readAll(name, 'tree path', treePath);
  const found = readAll(value, 'filter', (cursor) => condition(cursor, wholeValue));
  return { path, value: { field, ...found } };
}

/** `not.or`, `rel.and`, `rel.not.or`: the last word is the operator, the others except `not` are the path. */
function readLogic([name, value]: Pair, { logicDepth }: Limits): Query['logic'][number] {
  const words = pathOf(`${name}.x`);
  const operator = words.pop() ?? '';
  const negated = words.includes('not');
  const text = `${negated ? 'not.' : ''}${operator}${value}`;
  return {
    path: words.filter((word) => word !== 'not'),
    value: readAll(text, 'logic tree', (cursor) => logicTree(cursor, logicDepth), value),
  };
}

function readWhole([name, value]: Pair): At<bigint>[] {
  // PostgREST ignores a value that is not a number.
  return WHOLE.test(value) ? [{ path: pathOf(name), value: BigInt(value) }] : [];
}

function canonical(pairs: [string, string | undefined][]): string {
  return [...pairs]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

/** Regular expressions and terms of text searches in one request: each is compared with every row. */
const MAX_COSTLY = 50;

/** Words, as the parsers of full-text search count at least. */
const TERM = /[\p{L}\p{N}]+/gu;

/** @returns how many costly comparisons it has @throws RestError for one that is too costly */
function costOf(operation: Operation, { patternLength }: Limits): number {
  if (operation.kind === 'search') {
    if (operation.value.length > patternLength) throw searchTooLong(patternLength);
    return Math.max(1, operation.value.match(TERM)?.length ?? 0);
  }
  if (operation.kind !== 'quantified') return 0;
  const { operator, quantifier, value } = operation;
  if (operator !== 'match' && operator !== 'imatch') return 0;
  const patterns = quantifier === undefined ? [value] : arrayElements(value);
  for (const pattern of patterns) {
    const reason = patternProblem(pattern, patternLength);
    if (reason !== undefined) throw costlyPattern(reason);
  }
  return patterns.length;
}

function costIn(logic: Logic, limits: Limits): number {
  if (logic.kind === 'filter') return costOf(logic.filter.operation, limits);
  return sumOf(logic.terms.map((term) => costIn(term, limits)));
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);

/** @throws RestError 2201B, PGRST100 */
function checkCosts({ filters, logic }: Query, limits: Limits): void {
  const costs = [
    ...filters.map(({ value }) => costOf(value.operation, limits)),
    ...logic.map(({ value }) => costIn(value, limits)),
  ];
  if (sumOf(costs) > MAX_COSTLY) {
    throw tooComplex('regular expressions and search terms', MAX_COSTLY);
  }
}

/**
 * Parses the parameters of a query string, each with its grammar.
 * @param search still encoded, without `?`
 * @param isArgument for a function called by GET: whether a parameter is one of its arguments. If it is repeated and one
 *   value does not look like a filter, the values that do are filters.
 * @throws RestError PGRST100 for a syntax error, 2201B or PGRST100 for expressions that are too expensive
 */
export function readQuery(
  search: string,
  limits: Limits,
  isArgument?: (name: string) => boolean,
): Query {
  const pairs = decodeQuery(search);
  const query: Query = {
    select: EVERYTHING,
    filters: [],
    logic: [],
    order: [],
    limits: [],
    offsets: [],
    params: [],
    canonical: canonical(pairs),
  };
  let hasSelect = false;
  for (const [name, value] of pairs) {
    if (value === undefined) continue;
    const pair: Pair = [name, value];
    const last = name.slice(name.lastIndexOf('.') + 1);
    const isAlsoGiven = (): boolean =>
      pairs.some(([other, text]) => other === name && text !== undefined && !looksLikeFilter(text));
    if (isArgument?.(name) && !(looksLikeFilter(value) && isAlsoGiven())) query.params.push(pair);
    else if (name === 'select') {
      if (!hasSelect && value !== '')
        query.select = readAll(value, 'select parameter', selectList(limits));
      hasSelect = true;
    } else if (name === 'columns') {
      query.columns ??= readAll(value, 'columns parameter', columnList);
    } else if (name === 'on_conflict') {
      query.onConflict ??= readAll(value, 'on_conflict parameter', columnList);
    } else if (last === 'order') {
      query.order.push({ path: pathOf(name), value: readAll(value, 'order', orderTerms) });
    } else if (last === 'limit') query.limits.push(...readWhole(pair));
    else if (last === 'offset') query.offsets.push(...readWhole(pair));
    else if (last === 'and' || last === 'or') query.logic.push(readLogic(pair, limits));
    else if (isArgument && !name.includes('.') && !looksLikeFilter(value)) query.params.push(pair);
    else query.filters.push(readFilter(pair));
  }
  checkCosts(query, limits);
  return query;
}

export interface Window {
  offset: bigint;
  /** Undefined means no limit. */
  limit: bigint | undefined;
}

const RANGE = /^(\d+)-(\d*)$/;

function headerWindow(header: string | undefined): Window {
  const match = RANGE.exec(header?.replace(/^\w+=/, '').trim() ?? '');
  if (match?.[1] === undefined) return { offset: 0n, limit: undefined };
  const offset = BigInt(match[1]);
  if (!match[2]) return { offset, limit: undefined };
  const last = BigInt(match[2]);
  if (last < offset) {
    throw invalidRange(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    );
  }
  return { offset, limit: last - offset + 1n };
}

function rootValue(values: Query['limits']): bigint | undefined {
  return values.find(({ path }) => path.length === 0)?.value;
}

/**
 * Intersects the Range header with limit and offset (PostgREST docs, "Pagination and Count").
 * @param header the Range header of a GET
 * @throws RestError PGRST103
 */
export function readWindow(query: Query, header: string | undefined): Window {
  const window = headerWindow(header);
  const limit = rootValue(query.limits);
  if (limit !== undefined && limit < 0n) {
    throw invalidRange('Limit should be greater than or equal to zero.');
  }
  const asked = rootValue(query.offsets);
  // PostgREST ignores a negative offset.
  const offset = asked !== undefined && asked < 0n ? undefined : asked;
  if (offset === undefined && limit === undefined) return window;
  const start = offset !== undefined && offset > window.offset ? offset : window.offset;
  const endOfHeader = window.limit === undefined ? undefined : window.offset + window.limit;
  const endOfQuery = limit === undefined ? undefined : (offset ?? 0n) + limit;
  const end = least(endOfHeader, endOfQuery);
  if (end === undefined) return { offset: start, limit: undefined };
  return { offset: start, limit: end > start ? end - start : 0n };
}

function least(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined) return b;
  return b !== undefined && b < a ? b : a;
}
