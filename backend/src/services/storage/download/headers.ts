// Response headers that keep uploaded files from acting as pages or scripts of our origin.

import type { IncomingHttpHeaders } from 'node:http';
import { invalidRange } from '../errors.ts';
import type { ObjectRow } from '../objects/object-row.ts';
import { bareType } from '../upload/store.ts';

/** Sent as plain text: a page or script of our origin would have the rights of the user who opens it. */
const AS_TEXT =
  /^(?:text\/(?:html|css|javascript|ecmascript|jscript|livescript|x-\w*script|xsl|cache-manifest)|application\/(?:xhtml\+xml|(?:x-)?(?:javascript|ecmascript)))/;
/** Downloaded instead of opened: documents that may contain scripts, and types that browsers can't show. */
const AS_DOWNLOAD =
  /^(?:image\/svg\+xml|.*[/+]xml|multipart\/.*|message\/.*|application\/(?!pdf$|json$).*)$/;
const PDF = 'application/pdf';

const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
/** Browsers don't show PDFs in a sandbox; their viewers run nothing in our origin. */
const FOR_PDF = "frame-ancestors 'none'";

export function servedType(type: string): string {
  const bare = bareType(type);
  return AS_TEXT.test(bare) ? 'text/plain; charset=utf-8' : type;
}

/** @param name user input, hence percent-encoded (RFC 6266) */
function attachment(name: string): string {
  if (name === '') return 'attachment;';
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename=${encoded}; filename*=UTF-8''${encoded};`;
}

/** @param download file name to download as, empty for the object's own; undefined to open the file where that is safe */
export function securityHeaders(
  type: string,
  download: string | undefined,
): Record<string, string> {
  const bare = bareType(servedType(type));
  const downloads = download !== undefined || AS_DOWNLOAD.test(bare);
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': bare === PDF ? FOR_PDF : SANDBOX,
    ...(downloads ? { 'content-disposition': attachment(download ?? '') } : {}),
  };
}

/** @param expires of a signed URL, seconds since 1970 */
export function fileHeaders(row: ObjectRow, expires: number | undefined): Record<string, string> {
  const { metadata } = row;
  return {
    'accept-ranges': 'bytes',
    'content-type': servedType(metadata.mimetype),
    etag: metadata.eTag,
    'x-robots-tag': 'none',
    'last-modified': new Date(metadata.lastModified ?? row.updated_at).toUTCString(),
    'cache-control': metadata.cacheControl,
    ...(expires === undefined ? {} : { expires: new Date(expires * 1000).toUTCString() }),
  };
}

// Conditional requests (RFC 9110 section 13) and range requests (section 14).
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
export function parseRange(
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
