import type { Readable } from 'node:stream';

const OVERLAP = 256;
/** Control characters that don't occur in text, unlike form feed and escape. */
const BINARY = /[\x00-\x06\x0e-\x1a\x1c-\x1f]/;
/** Elements that browsers execute or render, including closing tags. */
const MARKUP =
  /<(?:!doctype|\?xml|(?:\/|\w{1,16}:)?(?:html|head|body|script|svg|iframe|frame|object|embed|applet|meta|link|style|base|form|math|template|img|video|audio|xsl|xslt|stylesheet))[\s>/?]/i;
const SCRIPT =
  /^(?:\ufeff|\xef\xbb\xbf)?\s{0,1000}(?:#!|@echo\s+off\b|<\?php|<\?=|<%|WScript\.|On Error Resume Next)|<\?php|\bjavascript:|\beval\s{0,8}\(|\bdocument\.(?:cookie|write|location)\b|\bInvoke-Expression\b|\bpowershell(?:\.exe)?\s+-/i;
/** Statements at the start of a line. Repetitions are bounded to keep long lines fast. */
const CODE =
  /^[ \t]{0,40}(?:(?:export |async ){0,2}function\b[ \t]{0,8}\w{0,64}[ \t]{0,8}\([^)\n]{0,200}\)\s{0,8}\{|(?:const|let|var) {1,8}\w{1,64} {0,8}=[^\n]{0,400};|import {1,8}[\w{*][^\n]{0,200} from ['"]|(?:module\.)?exports {0,8}[.=]|alert {0,8}\( {0,8}['"`\d]|console\.\w{1,16} {0,8}\(|\( {0,8}(?:function\b|\(\) {0,8}=>))/m;

/** UTF-16 needs a byte order mark; everything else is read as latin1, in which ASCII keywords are found in any encoding. */
function decoder(first: Buffer): (chunk: Buffer) => string {
  if (first[0] === 0xff && first[1] === 0xfe) {
    const utf16 = new TextDecoder('utf-16le');
    return (chunk) => utf16.decode(chunk, { stream: true });
  }
  if (first[0] === 0xfe && first[1] === 0xff) {
    const utf16 = new TextDecoder('utf-16be');
    return (chunk) => utf16.decode(chunk, { stream: true });
  }
  return (chunk) => chunk.toString('latin1');
}

/**
 * Classifies a file without a signature.
 * @param open reads the file from its beginning
 * @returns `text/plain`, `text/html` (any markup that a browser renders), `text/javascript` (any script), or
 *   `application/octet-stream`
 */
export async function detectTextType(open: () => Promise<Readable>): Promise<string> {
  let decode: ((chunk: Buffer) => string) | undefined;
  let tail = '';
  for await (const chunk of await open()) {
    if (!Buffer.isBuffer(chunk)) continue;
    decode ??= decoder(chunk);
    const text = decode(chunk);
    if (BINARY.test(text)) return 'application/octet-stream';
    const seen = tail + text;
    if (MARKUP.test(seen)) return 'text/html';
    if (SCRIPT.test(seen) || CODE.test(seen)) return 'text/javascript';
    tail = seen.slice(-OVERLAP);
  }
  return 'text/plain';
}
