// The outside of an archive: a readable header, then sealed chunks. Each chunk is encrypted and authenticated with its place
// and whether it is the last, so that a changed, missing, added or moved byte is noticed.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  type ScryptOptions,
  scrypt,
} from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import type { ByteReader } from './byte-reader.ts';

const MAGIC = Buffer.from('SNBACKUP');
const FORMAT = 1;
const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
const DIGEST_BYTES = 32;
const CHUNK_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** OWASP "Password Storage Cheat Sheet", scrypt with 64 MiB. */
const COST = { N: 2 ** 16, r: 8, p: 2 };
/** Above what an archive may ask for: a forged header must not exhaust memory. */
const MAX_MEMORY = 512 * 1024 * 1024;

const Header = z.object({
  format: z.literal(FORMAT),
  /** Rows of tables; or files of a running database, and a segment of its write-ahead log. */
  kind: z.enum(['rows', 'base', 'wal']).default('rows'),
  /** Program that wrote it, and its version. */
  product: z.string(),
  version: z.string(),
  /** Major version of the PostgreSQL that the rows come from. */
  postgres: z.number().int(),
  /** The one moment that all rows are from; of a segment, the moment that it and those before it reach. */
  takenAt: z.iso.datetime(),
  scrypt: z.object({
    N: z.number().int().positive(),
    r: z.number().int().positive(),
    p: z.number().int().positive(),
    salt: z.base64(),
    /** Makes a key of its own for each file of a series, which share one slow derivation. */
    file: z.base64().optional(),
  }),
});

export type ArchiveHeader = Omit<z.infer<typeof Header>, 'format' | 'scrypt'>;

export interface SeriesKey {
  salt: Buffer;
  key: Buffer;
}

export interface Seal {
  key: Buffer;
  /** SHA-256 of the header, authenticated with every chunk. */
  digest: Buffer;
}

/** @param detail a clause, without a full stop */
export const damaged = (detail: string): StartError =>
  new StartError(`The archive is damaged: ${detail}. Nothing was changed. Use another archive.`);

function deriveKey(passphrase: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: MAX_MEMORY };
    scrypt(passphrase.normalize('NFKC'), salt, 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** Slow on purpose, so it is done once for many files. */
export async function deriveSeriesKey(passphrase: string): Promise<SeriesKey> {
  const salt = randomBytes(16);
  return { salt, key: await deriveKey(passphrase, salt, COST) };
}

const fileKey = (key: Buffer, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, 'file of a series', 32));

export type Derive = typeof deriveKey;

/** @returns a derivation that remembers keys, for reading files of a series */
export function rememberKeys(): Derive {
  const known = new Map<string, Promise<Buffer>>();
  return (passphrase, salt, cost) => {
    const name = JSON.stringify([passphrase, salt.toString('base64'), cost]);
    const key = known.get(name) ?? deriveKey(passphrase, salt, cost);
    known.set(name, key);
    return key;
  };
}

/** A key serves one archive only, so a counter is enough for its nonces. */
const USE = { chunk: 0, lastChunk: 1, passphraseCheck: 2 };

function nonce(use: number, place: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt8(use, 0);
  bytes.writeBigUInt64BE(BigInt(place), 4);
  return bytes;
}

function encrypt({ key, digest }: Seal, iv: Buffer, plain: Buffer): Buffer[] {
  const cipher = createCipheriv(CIPHER, key, iv);
  cipher.setAAD(digest);
  return [cipher.update(plain), cipher.final(), cipher.getAuthTag()];
}

/** @throws when it was not encrypted with this key, header and nonce */
function decrypt({ key, digest }: Seal, iv: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv(CIPHER, key, iv);
  decipher.setAAD(digest);
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const plain = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES));
  decipher.final();
  return plain;
}

/** @returns the first bytes of the archive, and what seals the rest */
export async function writeHeader(
  header: ArchiveHeader,
  secret: string | SeriesKey,
): Promise<{ bytes: Buffer; seal: Seal }> {
  const series = typeof secret === 'string' ? await deriveSeriesKey(secret) : secret;
  const file = typeof secret === 'string' ? undefined : randomBytes(16);
  const scrypt = { ...COST, salt: series.salt.toString('base64'), file: file?.toString('base64') };
  const text = Buffer.from(JSON.stringify({ format: FORMAT, ...header, scrypt }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  const start = Buffer.concat([MAGIC, length, text]);
  const digest = createHash('sha256').update(start).digest();
  const seal = { key: file === undefined ? series.key : fileKey(series.key, file), digest };
  const check = encrypt(seal, nonce(USE.passphraseCheck, 0), Buffer.alloc(0));
  return { bytes: Buffer.concat([start, digest, ...check]), seal };
}

/** @throws StartError for no archive, a newer format, a damaged header or another passphrase */
export async function readHeader(
  reader: ByteReader,
  passphrase: string,
  derive: Derive = deriveKey,
): Promise<{ header: ArchiveHeader; seal: Seal }> {
  const { header, digest } = await readPlainHeader(reader);
  const { salt, file, ...cost } = header.scrypt;
  const secret = await derive(passphrase, Buffer.from(salt, 'base64'), cost);
  const key = file === undefined ? secret : fileKey(secret, Buffer.from(file, 'base64'));
  const seal = { key, digest };
  const check = await reader.readExactly(TAG_BYTES);
  try {
    decrypt(seal, nonce(USE.passphraseCheck, 0), check);
  } catch {
    throw new StartError(
      'BACKUP_PASSPHRASE is not the passphrase that this archive was made with. Nothing was changed.',
    );
  }
  return { header, seal };
}

/** Readable without the passphrase, so not authenticated. @throws StartError */
export async function readPlainHeader(
  reader: ByteReader,
): Promise<{ header: z.infer<typeof Header>; digest: Buffer }> {
  const magic = await reader.read(MAGIC.length);
  if (magic === undefined || !magic.equals(MAGIC)) {
    throw new StartError('This file is not an archive made by npm run backup.');
  }
  const length = await reader.readExactly(4);
  const size = length.readUInt32BE();
  if (size > MAX_HEADER_BYTES) throw damaged('its header is not readable');
  const text = await reader.readExactly(size);
  const digest = await reader.readExactly(DIGEST_BYTES);
  const actual = createHash('sha256').update(magic).update(length).update(text).digest();
  if (!actual.equals(digest)) throw damaged('its header was changed');
  return { header: parseHeader(text), digest };
}

function parseHeader(text: Buffer): z.infer<typeof Header> {
  const json: unknown = JSON.parse(text.toString('utf8'));
  const found = z.object({ format: z.number(), version: z.string() }).parse(json);
  if (found.format > FORMAT) {
    throw new StartError(
      `The archive was made by the newer version ${found.version} in a format that this version does not know. Install version ${found.version} or newer.`,
    );
  }
  return Header.parse(json);
}

/** Encrypts a stream of any length in chunks. */
export class Sealer extends Transform {
  #waiting: Buffer[] = [];
  #bytes = 0;
  #place = 0;

  constructor(private readonly seal: Seal) {
    super({ highWaterMark: 4 * CHUNK_BYTES });
  }

  override _transform(data: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#waiting.push(data);
    this.#bytes += data.length;
    if (this.#bytes > CHUNK_BYTES) {
      let rest = Buffer.concat(this.#waiting);
      // Strictly more than a chunk, because the last one is marked.
      while (rest.length > CHUNK_BYTES) {
        this.#write(rest.subarray(0, CHUNK_BYTES), false);
        rest = rest.subarray(CHUNK_BYTES);
      }
      this.#waiting = [rest];
      this.#bytes = rest.length;
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#write(Buffer.concat(this.#waiting), true);
    done();
  }

  #write(plain: Buffer, isLast: boolean): void {
    const length = Buffer.alloc(5);
    length.writeUInt8(isLast ? 1 : 0);
    length.writeUInt32BE(plain.length, 1);
    const iv = nonce(isLast ? USE.lastChunk : USE.chunk, this.#place);
    this.#place += 1;
    this.push(Buffer.concat([length, ...encrypt(this.seal, iv, plain)]));
  }
}

/** Decrypts what follows the header. @throws StartError when anything is missing, changed or added */
export async function* unseal(reader: ByteReader, seal: Seal): AsyncGenerator<Buffer> {
  for (let place = 0; ; place += 1) {
    const start = await reader.readExactly(5);
    const isLast = start.readUInt8() === 1;
    const size = start.readUInt32BE(1);
    if (size > CHUNK_BYTES) throw damaged('it was changed after it was made');
    const sealed = await reader.readExactly(size + TAG_BYTES);
    const iv = nonce(isLast ? USE.lastChunk : USE.chunk, place);
    try {
      yield decrypt(seal, iv, sealed);
    } catch (error) {
      if (error instanceof StartError) throw error;
      throw damaged('it was changed after it was made');
    }
    if (isLast) break;
  }
  if ((await reader.read(1)) !== undefined) throw damaged('something was added at its end');
}
