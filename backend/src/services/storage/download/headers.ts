// Headers of a file, so that nothing somebody uploaded can act as a page or a script of ours.
import type { ObjectRow } from '../objects/object-row.ts';
import { bareType } from '../upload/keep.ts';

/** Shown as plain text: a page or a script of our own origin would have the rights of whoever opens it. */
const AS_TEXT =
  /^(?:text\/(?:html|css|javascript|ecmascript|jscript|livescript|x-\w*script|xsl|cache-manifest)|application\/(?:xhtml\+xml|(?:x-)?(?:javascript|ecmascript)))/;
/** Saved instead of opened: documents that may hold scripts, and what no browser should try to show. */
const SAVED =
  /^(?:image\/svg\+xml|.*[/+]xml|multipart\/.*|message\/.*|application\/(?!pdf$|json$).*)$/;
const PDF = 'application/pdf';

const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
/** Browsers refuse to show a PDF in a sandbox; their viewers run nothing of it as ours. */
const FOR_PDF = "frame-ancestors 'none'";

/** @returns what the file is sent as */
export function servedType(type: string): string {
  const bare = bareType(type);
  return AS_TEXT.test(bare) ? 'text/plain; charset=utf-8' : type;
}

/** @param name as somebody typed it; percent-encoded (RFC 6266), so no character of it ends the header */
function attachment(name: string): string {
  if (name === '') return 'attachment;';
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename=${encoded}; filename*=UTF-8''${encoded};`;
}

/** @param download name to save it under, empty for its own, undefined to show it where that is harmless */
export function protection(type: string, download: string | undefined): Record<string, string> {
  const bare = bareType(servedType(type));
  const saves = download !== undefined || SAVED.test(bare);
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': bare === PDF ? FOR_PDF : SANDBOX,
    ...(saves ? { 'content-disposition': attachment(download ?? '') } : {}),
  };
}

/** @param expires of a signed address, seconds since 1970 */
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
