import { Readable } from 'node:stream';
import { fileTypeFromStream } from 'file-type';
import { typeMismatch, wrongType } from './errors.ts';

/** Types that say nothing about the content. */
const GENERIC_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream']);
const PLAIN = 'text/plain';
/** Formats with a signature that consist of text. */
const TEXT_FORMATS = new Set([
  'application/pdf',
  'application/rtf',
  'application/xml',
  'application/postscript',
  'application/eps',
]);
/** Compound File Binary: old Office files and Windows installers. */
const COMPOUND = 'application/x-cfb';
/** The class id in the root entry of a Windows Installer package, patch or transform. */
const INSTALLER = /[\x82\x84\x86]\x10\x0c\x00{5}\xc0\x00{6}\x46/;

export const isGenericType = (type: string): boolean => GENERIC_TYPES.has(type);

async function signatureType(open: () => Promise<Readable>): Promise<string | undefined> {
  const stream = await open();
  try {
    return (await fileTypeFromStream(Readable.toWeb(stream)))?.mime;
  } finally {
    stream.destroy();
  }
}

/** Some signatures are just two letters (`BM` for a bitmap), with which a text may begin. */
async function typeOf(open: () => Promise<Readable>, declared: string): Promise<string> {
  const signature = await signatureType(open);
  if (signature === undefined) return detectTextType(open);
  if (!declared.startsWith('text/') || TEXT_FORMATS.has(signature)) return signature;
  return (await detectTextType(open)) === PLAIN ? PLAIN : signature;
}

async function isInstaller(open: () => Promise<Readable>): Promise<boolean> {
  let tail = '';
  for await (const chunk of await open()) {
    const text = tail + (Buffer.isBuffer(chunk) ? chunk.toString('latin1') : '');
    if (INSTALLER.test(text)) return true;
    tail = text.slice(-16);
  }
  return false;
}

/**
 * Checks the declared type against the content.
 * @param open reads the file from its beginning; may be called more than once
 * @param declared without parameters, in lower case
 * @returns the declared type, or the detected one if the declared one is generic
 * @throws StorageError InvalidMimeType when they differ, including for HTML, scripts and programs
 */
export async function verifiedType(
  open: () => Promise<Readable>,
  declared: string,
): Promise<string> {
  const detected = await typeOf(open, declared);
  if (detected === COMPOUND) {
    if (await isInstaller(open)) throw wrongType('application/x-msi');
    if (isOldOfficeType(declared)) return declared;
  }
  if (isGenericType(declared)) return detected;
  if (!isSameType(declared, detected)) throw typeMismatch(declared, detected);
  return declared;
}

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

/**
 * Each row lists MIME types that programs use for the same content. Audio and video share containers, so the bytes can't
 * tell them apart.
 */
const ALIASES: readonly (readonly string[])[] = [
  ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  ['image/png', 'image/apng', 'image/x-png'],
  ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence', 'image/avif'],
  ['image/bmp', 'image/x-ms-bmp'],
  ['image/tiff', 'image/x-tiff'],
  ['application/rtf', 'text/rtf'],
  [
    'video/mp4',
    'audio/mp4',
    'audio/x-m4a',
    'audio/m4a',
    'audio/aac',
    'video/x-m4v',
    'video/quicktime',
    'video/3gpp',
    'audio/3gpp',
    'video/3gpp2',
    'audio/3gpp2',
  ],
  ['video/webm', 'audio/webm', 'video/matroska', 'video/x-matroska', 'audio/x-matroska'],
  [
    'audio/ogg',
    'video/ogg',
    'application/ogg',
    'audio/opus',
    'audio/vorbis',
    'audio/ogg; codecs=opus',
  ],
  ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
  ['audio/mpeg', 'audio/mp3', 'audio/x-mp3', 'audio/mpeg3'],
  ['audio/flac', 'audio/x-flac'],
  ['audio/aiff', 'audio/x-aiff'],
  ['video/vnd.avi', 'video/avi', 'video/x-msvideo', 'video/msvideo'],
  ['video/x-ms-wmv', 'video/x-ms-asf', 'audio/x-ms-wma', 'application/vnd.ms-asf'],
  ['text/plain', 'text/csv', 'text/tab-separated-values', 'text/markdown', 'application/csv'],
];

const aliasesOf = new Map(ALIASES.flatMap((row) => row.map((type) => [type, row] as const)));

/** @param declared without parameters, in lower case; @param detected from the content */
export function isSameType(declared: string, detected: string): boolean {
  return declared === detected || (aliasesOf.get(declared)?.includes(detected) ?? false);
}

const OLD_OFFICE_TYPES = new Set([
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.visio',
]);

/** The old Office formats share a container that does not identify them. */
export const isOldOfficeType = (type: string): boolean => OLD_OFFICE_TYPES.has(type);
