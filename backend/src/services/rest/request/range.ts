import { invalidRange } from '../errors/catalogue.ts';
import type { Query } from './model.ts';

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
