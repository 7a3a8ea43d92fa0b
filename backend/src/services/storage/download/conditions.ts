// Conditional requests (RFC 9110 section 13) and range requests (section 14).
import type { IncomingHttpHeaders } from 'node:http';
import { invalidRange } from '../errors/catalogue.ts';

export interface Validators {
  /** Quoted. */
  etag: string;
  /** Milliseconds since 1970. */
  modified: number;
}

const toSeconds = (ms: number): number => Math.floor(ms / 1000);

export function isUnchanged(headers: IncomingHttpHeaders, { etag, modified }: Validators): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    return tags
      .split(',')
      .map((tag) => tag.trim().replace(/^W\//, ''))
      .some((tag) => tag === '*' || tag === etag);
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return !Number.isNaN(since) && toSeconds(modified) <= toSeconds(since);
}

/**
 * @param size of the file in bytes
 * @returns first and last byte, or undefined for the whole file, also when several ranges are requested
 * @throws StorageError InvalidRange
 */
export function rangeOf(
  headers: IncomingHttpHeaders,
  size: number,
  { etag, modified }: Validators,
): { first: number; last: number } | undefined {
  const { range, 'if-range': condition } = headers;
  if (range === undefined) return undefined;
  if (typeof condition === 'string' && condition !== etag) {
    const since = Date.parse(condition);
    if (Number.isNaN(since) || toSeconds(modified) > toSeconds(since)) return undefined;
  }
  if (!/^bytes=/.test(range) || range.includes(',')) return undefined;
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range.replaceAll(' ', '')) ?? [];
  if (from === '' && to === '') throw invalidRange();
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first > last || (from === '' && Number(to) === 0)) throw invalidRange();
  return { first, last };
}
