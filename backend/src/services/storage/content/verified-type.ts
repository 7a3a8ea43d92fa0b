import { Readable } from 'node:stream';
import { fileTypeFromStream } from 'file-type';
import { typeMismatch, wrongType } from '../errors/catalogue.ts';
import { isOldOfficeType, isSameType } from './mime-aliases.ts';
import { detectTextType } from './text-type.ts';

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
