import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncFolder } from '../services/storage/blobs/blob-store.ts';
import { type ArchiveHeader, Sealer, type SeriesKey, writeHeader } from './archive-format.ts';

const UNFINISHED = '.unfinished';
/** After which an unfinished archive can't belong to a backup that is running. */
const ABANDONED_MS = 24 * 60 * 60_000;
/** Archives hold mostly pictures and short texts: higher levels take twice the time for a tenth of the size. */
const COMPRESSION = { level: 4 };

interface ArchiveOptions {
  /** Absolute path; created if it is missing. */
  folder: string;
  /** Called when the content is complete. */
  name: () => string;
  header: ArchiveHeader;
  content: AsyncGenerator<Buffer>;
  /** The passphrase, or what many files share. */
  secret: string | SeriesKey;
  signal: AbortSignal;
}

/** A moment as archives are named after it: names sort by time. @param at ISO 8601 in UTC with milliseconds */
export const timeInName = (at: string): string => at.replace(/[-:Z]/g, '').replace(/[T.]/g, '-');

/**
 * Writes to a temporary name, flushes and renames: a file with the archive's name is complete and durable.
 * @returns its absolute path
 */
export async function writeArchive(options: ArchiveOptions): Promise<string> {
  const { folder, name, header, content, secret, signal } = options;
  await mkdir(folder, { recursive: true });
  await removeAbandoned(folder);
  const unfinished = path.join(folder, `${header.kind}-${crypto.randomUUID()}${UNFINISHED}`);
  const { bytes, seal } = await writeHeader(header, secret);
  const handle = await open(unfinished, 'wx', 0o600);
  let file: string;
  try {
    const target = handle.createWriteStream({ flush: true });
    target.write(bytes);
    const source = Readable.from(content, { objectMode: false });
    await pipeline(source, createGzip(COMPRESSION), new Sealer(seal), target, { signal });
    file = path.join(folder, name());
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(folder);
  return file;
}

/** Of a machine that lost power. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(UNFINISHED)) continue;
    const file = path.join(folder, name);
    // Another process may just have renamed it.
    const found = await stat(file).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(file, { force: true });
  }
}
