import type { Stats } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openFolder } from '../../../data-folders.ts';

/** Stores the bytes of objects. A blob is written once, atomically, and never changed. */
export interface BlobStore {
  /**
   * Resolves when the blob is durable; nothing remains of it when the source fails.
   * @param id the object's version, a uuid
   * @throws the source's error, or a system error such as ENOSPC
   */
  write(id: string, source: Readable): Promise<void>;
  /** @throws BlobMissing; BlobDamaged, before anything is read, when it has not the size of its row */
  read(id: string, options?: ReadOptions): Promise<Readable>;
  /** @param size bytes @throws BlobMissing, BlobDamaged */
  check(id: string, size: number): Promise<void>;
  /** Idempotent. */
  remove(id: string): Promise<void>;
  /** Whether no other process writes to it, so that no upload can be in progress at start. */
  isExclusive: boolean;
  close(): Promise<void>;
}

export interface ReadOptions {
  /** Bytes that the whole blob must have; default: not checked. */
  size?: number | undefined;
  /** First and last byte, inclusive; default: all. */
  range?: { first: number; last: number } | undefined;
}

/** The blob of an existing row: either just replaced, or lost. */
export class BlobMissing extends Error {
  constructor(id: string) {
    super(`There is no blob ${id}.`);
  }
}

/** Truncated or replaced from outside, for example by a disk that was full or a backup that was cut off. */
export class BlobDamaged extends Error {
  constructor(id: string, size: number | undefined) {
    super(`The blob ${id} has not the ${size} bytes of its row.`);
  }
}

const CHUNK = 256 * 1024;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Makes a rename durable. Windows can't open a folder and does not need it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isMissing =
  (id: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw error.code === 'ENOENT' ? new BlobMissing(id) : error;
  };

function requireFile(id: string, found: Stats, size: number | undefined): void {
  if (!found.isFile() || (size !== undefined && found.size !== size)) {
    throw new BlobDamaged(id, size);
  }
}

/**
 * Stores blobs as files: written to a temporary folder, flushed, then renamed, so that a crash leaves no partial file.
 * @param folder absolute path
 * @param isBeside whether the server may be running: its arriving files stay
 */
export async function openDisk(folder: string, isBeside = false): Promise<BlobStore> {
  const incoming = path.join(folder, 'arriving');
  const objects = path.join(folder, 'objects');
  if (!isBeside) await rm(incoming, { recursive: true, force: true });
  await openFolder(incoming);
  await openFolder(objects);

  /** Spread over 256 folders. */
  const pathOf = (id: string): string => {
    if (!UUID.test(id)) throw new BlobMissing(id);
    return path.join(objects, id.slice(0, 2), id);
  };

  return {
    isExclusive: true,
    write: async (id, source) => {
      const target = pathOf(id);
      const temporary = path.join(incoming, id);
      try {
        // Opened first: removing a file that is still being created would leave it behind.
        const handle = await open(temporary, 'wx', 0o600);
        await pipeline(source, handle.createWriteStream({ highWaterMark: 4 * CHUNK, flush: true }));
        await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
        await rename(temporary, target);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      await syncFolder(path.dirname(target));
    },
    read: async (id, { size, range } = {}) => {
      const file = await open(pathOf(id), 'r').catch(isMissing(id));
      try {
        requireFile(id, await file.stat(), size);
      } catch (error) {
        await file.close();
        throw error;
      }
      const part = range === undefined ? {} : { start: range.first, end: range.last };
      return file.createReadStream({ ...part, highWaterMark: CHUNK });
    },
    check: async (id, size) => requireFile(id, await stat(pathOf(id)).catch(isMissing(id)), size),
    remove: async (id) => {
      if (UUID.test(id)) await rm(pathOf(id), { force: true });
    },
    close: async () => {},
  };
}
