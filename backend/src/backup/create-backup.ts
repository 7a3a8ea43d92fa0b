// Makes one archive of database, files and keys while the system runs.
import type pg from 'pg';
import { appliedVersions } from '../database/prepare.ts';
import { hasTable, withClient } from '../database/with-client.ts';
import type { BlobStore } from '../services/storage/blobs/blob-store.ts';
import { BACKUP_LOCK } from '../services/storage/blobs/space.ts';
import { StartError } from '../start-error.ts';
import type { ArchivePlace } from './archive-place.ts';
import { beginSnapshot, dumpState, dumpTables, type Table } from './dump-database.ts';
import { dumpBlobs, dumpFiles } from './dump-files.ts';
import { type EntryRecord, writeEntry } from './entries.ts';
import { explain } from './explain.ts';
import { timeInName, writeArchive } from './write-archive.ts';

/** Opens the embedded PostgreSQL it was made for; a restored one gets its own. */
const LEFT_OUT = 'keys/postgres-password';

export interface BackupOptions {
  connection: pg.ClientConfig;
  dataDir: string;
  blobs: BlobStore;
  /** Whether the archive holds the database alone. */
  leavesOutFiles?: boolean;
  place: ArchivePlace;
  passphrase: string;
  /** Program that makes it, a word for the name of the file, and its version. */
  product: { name: string; version: string };
  isScheduled: boolean;
  /** Whether a starting server asks, which has locked others out of the set-up. */
  isSettingUp?: boolean;
  signal: AbortSignal;
}

export interface Backup {
  name: string;
  /** As it is shown: a path, or s3:// without credentials. */
  address: string;
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
  const { place, product, dataDir, signal } = options;
  return explain(place.folder ?? dataDir, () =>
    withClient(options.connection, async (client) => {
      await lockBackups(client);
      const { takenAt, tables } = await beginSnapshot(client, options.isSettingUp);
      const header = {
        kind: 'rows' as const,
        product: product.name,
        version: product.version,
        postgres: await majorVersion(client),
        takenAt,
      };
      const content = new Content(client, tables, options);
      const name = `${product.name}-${timeInName(takenAt)}.backup`;
      const expectedBytes = await sizeOf(client);
      const bytes = await writeArchive({
        header,
        content: content.read(),
        secret: options.passphrase,
        signal,
        store: (archive) => place.write(name, archive, expectedBytes),
      });
      await client.query('commit');
      const address = place.addressOf(name);
      await record(client, [takenAt, address, bytes, options.isScheduled]);
      return { name, address, bytes, ...content.totals() };
    }),
  );
}

/** Until the connection ends. @throws BackupRunning */
export async function lockBackups(client: pg.Client): Promise<void> {
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

/** Bytes before compression. */
async function sizeOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `select pg_database_size(current_database())::float8
       + coalesce((select sum((metadata ->> 'size')::float8) from storage.objects), 0) as bytes`,
  );
  return rows[0]?.bytes ?? 0;
}

export async function majorVersion(client: pg.ClientBase | pg.Pool): Promise<number> {
  const { rows } = await client.query<{ number: string }>(
    `select current_setting('server_version_num') as number`,
  );
  return Math.floor(Number(rows[0]?.number) / 10_000);
}

class Content {
  readonly #records: EntryRecord[] = [];
  readonly #missing: string[] = [];

  constructor(
    private readonly client: pg.Client,
    private readonly tables: Table[],
    private readonly options: Pick<BackupOptions, 'blobs' | 'dataDir' | 'leavesOutFiles'>,
  ) {}

  async *read(): AsyncGenerator<Buffer> {
    const { platform, project } = await appliedVersions(this.client);
    const versions = { kind: 'schema' as const, platform: [...platform], project: [...project] };
    yield* writeEntry(versions, []);
    this.#records.push(...(yield* dumpTables(this.client, this.tables)));
    yield* dumpState(this.client);
    const { blobs, dataDir, leavesOutFiles } = this.options;
    if (leavesOutFiles) return;
    this.#records.push(...(yield* dumpBlobs(this.client, blobs, this.#missing)));
    this.#records.push(...(yield* dumpFiles(dataDir, LEFT_OUT)));
  }

  totals(): Omit<Backup, 'name' | 'address' | 'bytes'> {
    const tables = this.#records.filter(({ kind }) => kind === 'table');
    return {
      tables: tables.length,
      rows: tables.reduce((sum, { table }) => sum + (table?.rows ?? 0), 0),
      files: this.#records.length - tables.length,
      missing: this.#missing,
    };
  }
}
