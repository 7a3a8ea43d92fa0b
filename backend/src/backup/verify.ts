// Restores an archive beside the running system, and compares every table and file with the archive's manifest.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client, ClientConfig } from 'pg';
import { findApplied } from '../database/prepare.ts';
import { withClient } from '../database/with-client.ts';
import { type BlobStore, openDisk } from '../services/storage/blobs/blob-store.ts';
import { StartError } from '../start-error.ts';
import { COPY_SETTINGS, copyRows } from './dump-database.ts';
import type { EntryRecord } from './entries.ts';
import { explain } from './explain.ts';
import { type Destination, loadArchive } from './load-archive.ts';
import { withLocalArchive } from './local-archive.ts';
import { checkArchive, type Manifest } from './read-archive.ts';
import { type RestoreOptions, withCluster } from './restore.ts';

export type { Manifest };

type VerifyOptions = Omit<RestoreOptions, 'config'> & { projectDir: string };

/** @throws StartError with the first table or file that is not what the manifest says */
export async function verifyArchive(options: VerifyOptions): Promise<Manifest> {
  const { product, sourceDir, projectDir, progress, signal } = options;
  const parent = tmpdir();
  return explain(parent, async () => {
    const folder = await mkdtemp(path.join(parent, 'verify-backup-'));
    try {
      // PostgreSQL may run under another account, which must reach its own folder in it.
      await chmod(folder, 0o711);
      return await withLocalArchive(options, folder, async (archive) => {
        progress('Checking the archive');
        const manifest = await checkArchive(archive, product, signal);
        const files = await findApplied({ sourceDir, projectDir }, manifest.applied);
        const blobs = await openDisk(path.join(folder, 'storage'));
        const verify = async (connection: ClientConfig): Promise<void> => {
          progress('Restoring it beside the running system');
          const destination = { connection, blobs, folder };
          await loadArchive(archive, destination, files, signal);
          progress('Comparing');
          await compareAll(manifest, destination, signal);
        };
        // A temporary database need not survive a power cut.
        await withCluster(folder, verify, { fsync: 'off' });
        return manifest;
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** @throws StartError with the first table or file that is not what the manifest says */
export async function compareAll(
  { entries }: Manifest,
  { connection, blobs, folder }: Destination,
  signal: AbortSignal,
): Promise<void> {
  await withClient(connection, async (client) => {
    await client.query(COPY_SETTINGS);
    for (const entry of entries) {
      signal.throwIfAborted();
      await compare(entry, { client, blobs, folder });
    }
  });
}

interface Restored {
  client: Client;
  blobs: BlobStore;
  folder: string;
}

async function compare(entry: EntryRecord, restored: Restored): Promise<void> {
  const isSame = await matches(entry, restored);
  if (isSame) return;
  throw new StartError(
    `The archive is not good: ${nameOf(entry)} was restored differently. Make another backup.`,
  );
}

export function nameOf(entry: EntryRecord): string {
  if (entry.kind === 'table') return `table ${entry.schema}.${entry.name}`;
  if (entry.kind === 'blob') return `stored object ${entry.id}`;
  return entry.kind === 'file' ? `file ${entry.path}` : entry.kind;
}

async function matches(entry: EntryRecord, { client, blobs, folder }: Restored): Promise<boolean> {
  if (entry.kind === 'blob') return hasSum(entry, await blobs.read(entry.id));
  if (entry.kind === 'file') return hasSum(entry, createReadStream(path.join(folder, entry.path)));
  if (entry.kind !== 'table') return true;
  const { data, sum } = copyRows(client, entry);
  for await (const _ of data);
  const found = sum();
  return found.rows === entry.table?.rows && found.content === entry.table.content;
}

/** @returns whether the bytes are those of the manifest */
export async function hasSum(entry: EntryRecord, data: AsyncIterable<Buffer>): Promise<boolean> {
  const hash = createHash('sha256');
  for await (const chunk of data) hash.update(chunk);
  return hash.digest('hex') === entry.sha256;
}
