import { statfs } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../start-error.ts';
import { readHeader } from './archive-format.ts';
import type { ArchivePlace } from './archive-place.ts';
import { ByteReader } from './byte-reader.ts';
import { openFolder, writeToFolder } from './folder-place.ts';
import { type ArchiveAddress, withPlace } from './place-address.ts';
import { type Archive, requireRows } from './read-archive.ts';

export interface ArchiveOptions {
  source: ArchiveAddress;
  passphrase: string;
  /** This program. */
  product: { name: string; version: string };
  progress: (message: string) => void;
  /** Ends it; nothing half done is left. */
  signal: AbortSignal;
}

/**
 * Works with an archive on this machine, which is read twice. One in a bucket is downloaded first: both readings must see the
 * same bytes, and the store must not close the connection while PostgreSQL builds an index.
 * @param folder absolute path of an existing one, which has a downloaded archive while `work` runs
 * @throws StartError
 */
export async function withLocalArchive<T>(
  options: ArchiveOptions,
  folder: string,
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  const { source, passphrase, signal } = options;
  const { name } = source;
  return withPlace(source.place, signal, async (place) => {
    if (place.folder !== undefined) return work({ place, name, passphrase });
    await refuseEarly(place, options);
    const local = openFolder(folder);
    try {
      await download(place, folder, options);
      return await work({ place: local, name, passphrase });
    } finally {
      await local.remove(name);
    }
  });
}

/** Checks the first bytes before the whole archive is fetched. @throws StartError */
async function refuseEarly(
  place: ArchivePlace,
  { source, passphrase, product }: ArchiveOptions,
): Promise<void> {
  const { data } = await place.read(source.name);
  try {
    const { header } = await readHeader(new ByteReader(data), passphrase);
    requireRows(header, product);
  } finally {
    data.destroy();
  }
}

async function download(
  place: ArchivePlace,
  folder: string,
  { source: { name }, progress, signal }: ArchiveOptions,
): Promise<void> {
  const { data, bytes } = await place.read(name);
  await requireSpace(folder, bytes).catch((error: unknown) => {
    data.destroy();
    throw error;
  });
  progress('Downloading the archive');
  await pipeline(data, (archive) => writeToFolder(folder, () => name, archive), { signal });
}

async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  const megabytes = (size: number): string => `${(size / 1e6).toFixed(1)} MB`;
  throw new StartError(
    `The disk of ${folder} has ${megabytes(free)} free, and the archive, which is downloaded to it first, has ${megabytes(bytes)}. Nothing was changed. Free some space.`,
  );
}
