// Reads what is not in the database: stored objects, keys and mails.
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ClientBase } from 'pg';
import { BlobMissing, type BlobStore } from '../services/storage/blobs/blob-store.ts';
import { type EntryRecord, writeEntry } from './entries.ts';

/** Folders of DATA_DIR that belong to the data; blobs are read from their store, and uploads in progress are left out. */
const FOLDERS = ['keys', 'outbox'];

/**
 * Writes the objects that the database names. Removed ones stay in the store while the caller has the lock of backups.
 * @param missing gets the versions whose bytes are lost
 */
export async function* dumpBlobs(
  client: ClientBase,
  blobs: BlobStore,
  missing: string[],
): AsyncGenerator<Buffer, EntryRecord[]> {
  const { rows } = await client.query<{ version: string }>(
    'select distinct version from storage.objects where version is not null order by version',
  );
  const versions = rows.map(({ version }) => version);
  return yield* dumpVersions(versions, blobs, missing);
}

export async function* dumpVersions(
  versions: Iterable<string>,
  blobs: BlobStore,
  missing: string[],
): AsyncGenerator<Buffer, EntryRecord[]> {
  const records: EntryRecord[] = [];
  for (const version of versions) {
    const data = await blobs.read(version).catch((error: unknown) => {
      if (error instanceof BlobMissing) return undefined;
      throw error;
    });
    if (data === undefined) missing.push(version);
    else records.push(yield* writeEntry({ kind: 'blob', id: version }, data));
  }
  return records;
}

/** @param leftOut path in DATA_DIR of a file that does not belong to the archive */
export async function* dumpFiles(
  dataDir: string,
  leftOut?: string,
  folders = FOLDERS,
): AsyncGenerator<Buffer, EntryRecord[]> {
  const records: EntryRecord[] = [];
  for (const folder of folders) {
    const root = path.join(dataDir, folder);
    const names = await readdir(root).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    for (const name of names.sort()) {
      const header = { kind: 'file' as const, path: `${folder}/${name}` };
      if (header.path === leftOut || name.endsWith('.new')) continue;
      const handle = await open(path.join(root, name));
      records.push(yield* writeEntry(header, handle.createReadStream()));
    }
  }
  return records;
}
