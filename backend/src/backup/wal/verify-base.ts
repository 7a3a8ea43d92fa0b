// Restores a base backup and the changes after it beside the running system, and reads everything.
import { createReadStream } from 'node:fs';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from 'pg';
import { type BlobStore, openDisk } from '../../services/storage/blobs/blob-store.ts';
import { StartError } from '../../start-error.ts';
import { COPY_SETTINGS, copyRows, listTables } from '../dump-database.ts';
import type { EntryRecord } from '../entries.ts';
import { explain } from '../explain.ts';
import type { RestoreOptions } from '../restore.ts';
import { hasSum, nameOf } from '../verify.ts';
import { Loader, recover, walFolderOf } from './restore-to-time.ts';
import {
  type Base,
  findChain,
  missingSegment,
  readReach,
  readRun,
  readRuns,
  type Segment,
} from './wal-folder.ts';

type BaseOptions = Pick<RestoreOptions, 'product' | 'progress' | 'signal'> & {
  /** A base backup, or the folder of the archives for its newest one. */
  source: string;
  passphrase: string;
};

export interface VerifiedBase {
  file: string;
  /** A restore is possible from then on. */
  from: Date;
  /** Before this moment. */
  until: Date;
  segments: number;
  tables: number;
  rows: number;
  /** Files of the storage. */
  objects: number;
  /** Stored objects whose bytes are in no backup. */
  missing: number;
}

/** Whether this names a base backup rather than an archive. */
export async function isBase(source: string): Promise<boolean> {
  const found = await stat(source).catch(() => undefined);
  return found !== undefined && (found.isDirectory() || source.endsWith('.base'));
}

/** @throws StartError with the first file or segment that is missing or damaged */
export async function verifyBase(options: BaseOptions): Promise<VerifiedBase> {
  const { source, product, progress, signal } = options;
  const parent = tmpdir();
  return explain(parent, async () => {
    const { base, chain, until } = await chooseBase(source, product.name);
    const folder = await mkdtemp(path.join(parent, 'verify-backup-'));
    try {
      // PostgreSQL may run under another account, which must reach its own folder in it.
      await chmod(folder, 0o711);
      const blobs = await openDisk(path.join(folder, 'storage'));
      const loader = new Loader(folder, blobs, options);
      progress('Restoring the base backup beside the running system');
      await compareFiles(await loader.load(base.file), { folder, blobs, signal });
      progress(`Restoring ${chain.length} segments of changes`);
      for (const { file } of chain) await loader.load(file);
      progress('Replaying and reading everything');
      const totals = { tables: 0, rows: 0 };
      const missing = await recover(folder, undefined, loader.objects, async (client) => {
        Object.assign(totals, await readTables(client, signal));
      });
      const { file, endedAt } = base;
      const objects = loader.objects.size;
      return { file, from: endedAt, until, segments: chain.length, ...totals, objects, missing };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function chooseBase(
  source: string,
  product: string,
): Promise<{ base: Base; chain: Segment[]; until: Date }> {
  const isFolder = (await stat(source)).isDirectory();
  const runs = isFolder
    ? await readRuns(await walFolderOf(source, product))
    : [await readRun(path.dirname(source))];
  const [newest] = runs
    .flatMap((run) => run.bases.map((base) => ({ run, base })))
    .filter(({ base }) => isFolder || base.file === source)
    .sort((a, b) => +b.base.endedAt - +a.base.endedAt);
  if (newest === undefined) {
    throw new StartError(
      `There is no base backup in ${isFolder ? source : path.dirname(source)}. It is made by a server with BACKUP_WAL=on.`,
    );
  }
  const { base, run } = newest;
  const { chain, next } = findChain(run, base);
  const missing = missingSegment(run, next);
  if (missing !== undefined) {
    throw new StartError(
      `${missing} is missing, so what came after it can't be restored. Bring it back from a copy of the folder; the server makes a new base backup at its next round.`,
    );
  }
  const last = chain.at(-1);
  const until = last && (await readReach(last));
  if (until === undefined || until <= base.endedAt) {
    throw new StartError(
      `${base.file} can't be restored yet: the changes made while it was copied are not saved beside it. A running server saves them within two minutes; a copy of the file alone is not enough.`,
    );
  }
  return { base, chain, until };
}

interface Restored {
  folder: string;
  blobs: BlobStore;
  signal: AbortSignal;
}

/** Before PostgreSQL changes them. @throws StartError */
async function compareFiles(entries: EntryRecord[], restored: Restored): Promise<void> {
  const { folder, blobs, signal } = restored;
  for (const entry of entries) {
    signal.throwIfAborted();
    if (entry.kind === 'file' && entry.path.endsWith('/')) continue;
    if (entry.kind !== 'blob' && entry.kind !== 'file') continue;
    const data =
      entry.kind === 'blob'
        ? await blobs.read(entry.id)
        : createReadStream(path.join(folder, entry.path));
    if (await hasSum(entry, data)) continue;
    throw new StartError(
      `The base backup is not good: ${nameOf(entry)} was restored differently. Make another one.`,
    );
  }
}

/** Also proves the checksums of the pages that they are on. */
async function readTables(
  client: Client,
  signal: AbortSignal,
): Promise<{ tables: number; rows: number }> {
  await client.query(COPY_SETTINGS);
  const tables = await listTables(client);
  let rows = 0;
  for (const table of tables) {
    signal.throwIfAborted();
    const { data, sum } = copyRows(client, table);
    for await (const _ of data);
    rows += sum().rows;
  }
  return { tables: tables.length, rows };
}
