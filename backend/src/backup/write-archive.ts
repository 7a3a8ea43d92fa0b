import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type ArchiveHeader, Sealer, type SeriesKey, writeHeader } from './archive-format.ts';

/** Archives hold mostly pictures and short texts: higher levels take twice the time for a tenth of the size. */
const COMPRESSION = { level: 4 };

interface ArchiveOptions<T> {
  header: ArchiveHeader;
  content: AsyncGenerator<Buffer>;
  /** The passphrase, or what many files share. */
  secret: string | SeriesKey;
  signal: AbortSignal;
  /** Stores the archive; leaves nothing when reading it fails. */
  store: (archive: AsyncIterable<Buffer>) => Promise<T>;
}

/** A moment as archives are named after it: names sort by time. @param at ISO 8601 in UTC with milliseconds */
export const timeInName = (at: string): string => at.replace(/[-:Z]/g, '').replace(/[T.]/g, '-');

/** Compresses and encrypts as a stream. @returns what `store` returns */
export async function writeArchive<T>(options: ArchiveOptions<T>): Promise<T> {
  const { header, content, secret, signal, store } = options;
  const { bytes, seal } = await writeHeader(header, secret);
  const source = Readable.from(content, { objectMode: false });
  return pipeline(
    source,
    createGzip(COMPRESSION),
    new Sealer(seal),
    (sealed: AsyncIterable<Buffer>) => store(startingWith(bytes, sealed)),
    { signal },
  );
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
