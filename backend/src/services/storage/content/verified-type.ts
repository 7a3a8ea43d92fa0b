// Whether a file holds what it says it is: told from its bytes, never from its name.
import { Readable } from 'node:stream';
import { fileTypeFromStream } from 'file-type';
import { contradicted, wrongType } from '../errors/catalogue.ts';
import { agree, isDocument } from './kinds.ts';
import { textKind } from './text-kind.ts';

const SAYS_NOTHING = new Set(['', 'application/octet-stream', 'binary/octet-stream']);
const PLAIN = 'text/plain';
/** Formats that are made of plain characters themselves. */
const WRITTEN = new Set([
  'application/pdf',
  'application/rtf',
  'application/xml',
  'application/postscript',
  'application/eps',
]);
/** Old Office files, and installers: one container for both. */
const COMPOUND = 'application/x-cfb';
/** The class id in an installer's root entry (Windows Installer package, patch and transform). */
const INSTALLER = /[\x82\x84\x86]\x10\x0c\x00{5}\xc0\x00{6}\x46/;

async function detected(open: () => Promise<Readable>): Promise<string | undefined> {
  const stream = await open();
  try {
    return (await fileTypeFromStream(Readable.toWeb(stream)))?.mime;
  } finally {
    stream.destroy();
  }
}

/** Two letters make a signature for some formats (`BM` of a bitmap), and a note may begin with them. */
async function typeOf(open: () => Promise<Readable>, declared: string): Promise<string> {
  const signature = await detected(open);
  if (signature === undefined) return textKind(open);
  if (!declared.startsWith('text/') || WRITTEN.has(signature)) return signature;
  return (await textKind(open)) === PLAIN ? PLAIN : signature;
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
 * @param open reads the file from its beginning; may be called more than once
 * @param declared bare, in lower case
 * @returns the type as declared, or as found where the declaration says nothing
 * @throws StorageError InvalidMimeType when the content contradicts the declaration, or is a page, a script or a program
 */
export async function verifiedType(
  open: () => Promise<Readable>,
  declared: string,
): Promise<string> {
  const found = await typeOf(open, declared);
  const silent = SAYS_NOTHING.has(declared);
  if (found === COMPOUND) {
    if (await isInstaller(open)) throw wrongType('application/x-msi');
    if (!silent && isDocument(declared)) return declared;
  }
  if (silent) return found;
  if (!agree(declared, found)) throw contradicted(declared, found);
  return declared;
}
