import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { AppliedVersions } from '../database/prepare.ts';
import { StartError } from '../start-error.ts';
import { type ArchiveHeader, type Derive, damaged, readHeader, unseal } from './archive-format.ts';
import type { ArchivePlace } from './archive-place.ts';
import { ByteReader } from './byte-reader.ts';
import { type EntryHeader, type EntryRecord, readEntries } from './entries.ts';

export interface Archive {
  place: ArchivePlace;
  name: string;
  passphrase: string;
}

export interface Manifest {
  header: ArchiveHeader;
  applied: AppliedVersions;
  entries: EntryRecord[];
}

type Take = (header: EntryHeader, data: AsyncGenerator<Buffer>) => Promise<void>;

/** Reads an archive as a stream. @throws StartError for a damaged archive or a wrong passphrase */
export async function readArchive(
  { place, name, passphrase }: Archive,
  take: Take,
  signal: AbortSignal,
  derive?: Derive,
): Promise<Omit<Manifest, 'applied'>> {
  const { data } = await place.read(name);
  const reader = new ByteReader(data);
  const { header, seal } = await readHeader(reader, passphrase, derive);
  let entries: EntryRecord[] = [];
  const sealed = Readable.from(unseal(reader, seal), { objectMode: false });
  const read = async (source: AsyncIterable<Buffer>): Promise<void> => {
    entries = await readEntries(source, take);
  };
  await pipeline(sealed, createGunzip(), read, { signal });
  return { header, entries };
}

/**
 * Reads a whole archive before anything is written: its passphrase, version and every checksum.
 * @param product this program
 * @throws StartError
 */
export async function checkArchive(
  archive: Archive,
  product: { name: string; version: string },
  signal: AbortSignal,
): Promise<Manifest> {
  let applied: AppliedVersions | undefined;
  const keepVersions: Take = async (entry) => {
    if (entry.kind === 'schema') applied = entry;
  };
  const { header, entries } = await readArchive(archive, keepVersions, signal);
  requireRows(header, product);
  if (applied === undefined) throw damaged('it has no list of tables');
  return { header, applied, entries };
}

/** @throws StartError for a part of another kind of backup, another program, or a newer version of this one */
export function requireRows(
  header: ArchiveHeader,
  product: { name: string; version: string },
): void {
  if (header.kind !== 'rows') {
    throw new StartError(
      'This file is a part of a backup to a point in time, so name the folder of the backups: npm run restore -- <folder> --to <time>, or npm run backup:verify -- <folder>',
    );
  }
  requireProduct(header, product);
}

/** @throws StartError for another program, or a newer version of this one */
export function requireProduct(
  header: ArchiveHeader,
  product: { name: string; version: string },
): void {
  if (header.product !== product.name) {
    throw new StartError(`This is an archive of ${header.product}, not of ${product.name}.`);
  }
  if (isNewer(header.version, product.version)) {
    throw new StartError(
      `The archive was made by the newer version ${header.version}; this is ${product.version}. Nothing was changed. Install version ${header.version} or newer.`,
    );
  }
}

function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0;
}
