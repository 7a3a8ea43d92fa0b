// Makes one archive of database, files and keys while the system runs.
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { appliedVersions } from '../database/prepare.ts';
import { hasTable, withClient } from '../database/with-client.ts';
import { BlobMissing, type BlobStore, syncFolder } from '../services/storage/blobs/blob-store.ts';
import { BACKUP_LOCK } from '../services/storage/blobs/space.ts';
import { StartError } from '../start-error.ts';
import { type ArchiveHeader, Sealer, writeHeader } from './archive-format.ts';
import { beginSnapshot, dumpState, dumpTables, type Table } from './dump-database.ts';
import { type EntryRecord, writeEntry } from './entries.ts';
import { explain } from './explain.ts';

/** Folders of DATA_DIR that belong to the data; blobs are read from their store, and uploads in progress are left out. */
const FOLDERS = ['keys', 'outbox'];
/** Opens the embedded PostgreSQL it was made for; a restored one gets its own. */
const LEFT_OUT = 'keys/postgres-password';
const UNFINISHED = '.unfinished';
/** After which an unfinished archive can't belong to a backup that is running. */
const ABANDONED_MS = 24 * 60 * 60_000;
/** Archives hold mostly pictures and short texts: higher levels take twice the time for a tenth of the size. */
const COMPRESSION = { level: 4 };

export interface BackupOptions {
  /** The owner's connection. */
  connection: pg.ClientConfig;
  dataDir: string;
  blobs: BlobStore;
  /** Absolute path of the folder that gets the archive. */
  folder: string;
  passphrase: string;
  /** Program that makes it, a word for the name of the file, and its version. */
  product: { name: string; version: string };
  isScheduled: boolean;
  /** Whether a starting server asks, which has locked others out of the set-up. */
  isSettingUp?: boolean;
  signal: AbortSignal;
}

export interface Backup {
  /** Absolute path. */
  file: string;
  bytes: number;
  tables: number;
  rows: number;
  files: number;
  /** Versions of stored objects whose bytes were already lost. */
  missing: string[];
}

/** By this or another process on the database. */
export class BackupRunning extends StartError {
  constructor() {
    super('Another backup is running. Start this one when it has ended.');
  }
}

/** Until then nothing has the archive's name. @throws StartError; no part of an archive is left */
export async function createBackup(options: BackupOptions): Promise<Backup> {
  return explain(options.folder, () =>
    withClient(options.connection, async (client) => {
      await lock(client);
      const { takenAt, tables } = await beginSnapshot(client, options.isSettingUp);
      const header = {
        product: options.product.name,
        version: options.product.version,
        postgres: await majorVersion(client),
        takenAt,
      };
      const name = `${options.product.name}-${takenAt.replace(/[-:Z]/g, '').replace(/[T.]/g, '-')}.backup`;
      const file = path.join(options.folder, name);
      const content = new Content(client, tables, options);
      await writeArchive(file, header, content.read(), options);
      await client.query('commit');
      const { size } = await stat(file);
      await record(client, [takenAt, file, size, options.isScheduled]);
      return { file, bytes: size, ...content.totals() };
    }),
  );
}

async function lock(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1) as locked',
    [BACKUP_LOCK],
  );
  if (!rows[0]?.locked) {
    throw new BackupRunning();
  }
}

/** A database that was not started by this version yet has no such table. */
async function record(client: pg.Client, backup: unknown[]): Promise<void> {
  if (!(await hasTable(client, 'platform.backups'))) return;
  await client.query(
    'insert into platform.backups (taken_at, file, bytes, is_scheduled) values ($1, $2, $3, $4)',
    backup,
  );
}

async function majorVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ number: string }>(
    `select current_setting('server_version_num') as number`,
  );
  return Math.floor(Number(rows[0]?.number) / 10_000);
}

/** Written to a temporary name, flushed and renamed: a file with the archive's name is complete. */
async function writeArchive(
  file: string,
  header: ArchiveHeader,
  content: AsyncGenerator<Buffer>,
  { passphrase, signal, folder }: BackupOptions,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await removeAbandoned(folder);
  const unfinished = `${file}${UNFINISHED}`;
  const { bytes, seal } = await writeHeader(header, passphrase);
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    const target = handle.createWriteStream({ flush: true });
    target.write(bytes);
    const source = Readable.from(content, { objectMode: false });
    await pipeline(source, createGzip(COMPRESSION), new Sealer(seal), target, { signal });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Of a machine that lost power. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(`.backup${UNFINISHED}`)) continue;
    const file = path.join(folder, name);
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(file, { force: true });
  }
}

class Content {
  readonly #records: EntryRecord[] = [];
  readonly #missing: string[] = [];

  constructor(
    private readonly client: pg.Client,
    private readonly tables: Table[],
    private readonly options: Pick<BackupOptions, 'blobs' | 'dataDir'>,
  ) {}

  async *read(): AsyncGenerator<Buffer> {
    const { platform, project } = await appliedVersions(this.client);
    const versions = { kind: 'schema' as const, platform: [...platform], project: [...project] };
    yield* writeEntry(versions, []);
    this.#records.push(...(yield* dumpTables(this.client, this.tables)));
    yield* dumpState(this.client);
    yield* this.#blobs();
    yield* this.#files();
  }

  totals(): Omit<Backup, 'file' | 'bytes'> {
    const tables = this.#records.filter(({ kind }) => kind === 'table');
    return {
      tables: tables.length,
      rows: tables.reduce((sum, { table }) => sum + (table?.rows ?? 0), 0),
      files: this.#records.length - tables.length,
      missing: this.#missing,
    };
  }

  /** Removed blobs of the snapshot stay in the store while the backup has its lock. */
  async *#blobs(): AsyncGenerator<Buffer> {
    const { rows } = await this.client.query<{ version: string }>(
      'select distinct version from storage.objects where version is not null order by version',
    );
    for (const { version } of rows) {
      const data = await this.options.blobs.read(version).catch((error: unknown) => {
        if (error instanceof BlobMissing) return undefined;
        throw error;
      });
      if (data === undefined) this.#missing.push(version);
      else this.#records.push(yield* writeEntry({ kind: 'blob', id: version }, data));
    }
  }

  async *#files(): AsyncGenerator<Buffer> {
    for (const folder of FOLDERS) {
      const root = path.join(this.options.dataDir, folder);
      const names = await readdir(root).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      for (const name of names.sort()) {
        const header = { kind: 'file' as const, path: `${folder}/${name}` };
        if (header.path === LEFT_OUT || name.endsWith('.new')) continue;
        const handle = await open(path.join(root, name));
        this.#records.push(yield* writeEntry(header, handle.createReadStream()));
      }
    }
  }
}
