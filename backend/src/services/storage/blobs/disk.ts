// Blobs as files in DATA_DIR. Written beside, flushed, then moved: a crash leaves no half a file.
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BlobMissing, type BlobStore } from './blob-store.ts';

const CHUNK = 256 * 1024;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A moved file is only safe with its folder's entry. Windows can't open a folder, and needs no flush of it. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @param folder absolute path; what an earlier process left half-written there is removed */
export async function openDisk(folder: string): Promise<BlobStore> {
  const arriving = path.join(folder, 'arriving');
  const objects = path.join(folder, 'objects');
  await rm(arriving, { recursive: true, force: true });
  await mkdir(arriving, { recursive: true, mode: 0o700 });
  await mkdir(objects, { recursive: true, mode: 0o700 });

  /** Only ids of our own making become paths, spread over 256 folders. */
  const placeOf = (id: string): string => {
    if (!UUID.test(id)) throw new BlobMissing(id);
    return path.join(objects, id.slice(0, 2), id);
  };

  return {
    isExclusive: true,
    write: async (id, source) => {
      const place = placeOf(id);
      const beside = path.join(arriving, id);
      try {
        // Opened before anything can fail: a file that is still being made when it is removed would stay.
        const handle = await open(beside, 'wx', 0o600);
        await pipeline(source, handle.createWriteStream({ highWaterMark: 4 * CHUNK, flush: true }));
        await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
        await rename(beside, place);
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
      await flushFolder(path.dirname(place));
    },
    read: async (id, range) => {
      const file = await open(placeOf(id), 'r').catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new BlobMissing(id) : error;
      });
      const part = range === undefined ? {} : { start: range.first, end: range.last };
      return file.createReadStream({ ...part, highWaterMark: CHUNK });
    },
    remove: async (id) => {
      if (UUID.test(id)) await rm(placeOf(id), { force: true });
    },
    close: async () => {},
  };
}
