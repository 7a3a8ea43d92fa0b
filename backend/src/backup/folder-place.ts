import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../services/storage/blobs/blob-store.ts';
import { StartError } from '../start-error.ts';
import type { ArchivePlace } from './archive-place.ts';

const UNFINISHED = '.unfinished';
/** After which an unfinished archive can't belong to a backup that is running. */
const ABANDONED_MS = 24 * 60 * 60_000;

/** @param folder absolute path; created by the first archive */
export function openFolder(folder: string): ArchivePlace {
  const pathOf = (name: string): string => path.join(folder, name);
  return {
    folder,
    addressOf: pathOf,
    write: async (name, archive) => {
      const file = await writeToFolder(folder, () => name, archive);
      return (await stat(file)).size;
    },
    read: async (name) => {
      const found = await stat(pathOf(name)).catch(() => undefined);
      if (!found?.isFile()) throw new StartError(`There is no archive ${pathOf(name)}.`);
      const data = createReadStream(pathOf(name), { highWaterMark: 256 * 1024 });
      return { data, bytes: found.size };
    },
    list: () => readdir(folder),
    remove: (name) => rm(pathOf(name), { force: true }),
    close: () => {},
  };
}

/**
 * Writes to a temporary name, flushes and renames: a file with the archive's name is complete and durable.
 * @param name called when the content is complete
 * @returns its absolute path
 */
export async function writeToFolder(
  folder: string,
  name: () => string,
  archive: AsyncIterable<Buffer>,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  await removeAbandoned(folder);
  const unfinished = path.join(folder, `${crypto.randomUUID()}${UNFINISHED}`);
  const handle = await open(unfinished, 'wx', 0o600);
  let file: string;
  try {
    await pipeline(archive, handle.createWriteStream({ flush: true }));
    file = path.join(folder, name());
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(folder);
  return file;
}

/** Leftovers of a machine that lost power. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(UNFINISHED)) continue;
    const file = path.join(folder, name);
    // Another process may just have renamed it.
    const found = await stat(file).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(file, { force: true });
  }
}
