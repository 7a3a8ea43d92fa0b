// Removes blobs without an object. A trigger records them in the transaction that deletes or replaces the object.
import type { Pool } from 'pg';
import type { Context } from '../../../context.ts';
import { noSpace } from '../errors.ts';
import type { BlobStore } from './blob-store.ts';

const BATCH = 200;
/** Advisory lock of a running backup (`backup/create-backup.ts`): rows of its snapshot still name removed blobs. */
export const BACKUP_LOCK = 7_823_114_503;
/** Longer than any upload. */
const UPLOAD_LIMIT = '1 day';

export type UnusedBlobs = ReturnType<typeof openUnusedBlobs>;

export function openUnusedBlobs(pool: Pool, blobs: BlobStore, onError: (error: unknown) => void) {
  let running: Promise<void> | undefined;
  let isRequested = false;

  const removeDue = async (): Promise<void> => {
    for (;;) {
      const { rows } = await pool.query<{ version: string }>(
        `select version from storage.unused_blobs
         where due_at <= now()
           and not exists (
             select from pg_locks l
             where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())
               and l.granted and ((l.classid::bigint << 32) | l.objid::bigint) = $2 and l.objsubid = 1
           )
         order by due_at limit $1`,
        [BATCH, BACKUP_LOCK],
      );
      const versions = rows.map(({ version }) => version);
      // The blob first: after a crash in between, it is removed again.
      for (const version of versions) await blobs.remove(version);
      await pool.query('delete from storage.unused_blobs where version = any ($1)', [versions]);
      if (versions.length < BATCH) return;
    }
  };

  const run = async (): Promise<void> => {
    while (isRequested) {
      isRequested = false;
      await removeDue();
    }
  };

  /** Starts removing what is due, in the background. Calls during a run cause one more run. */
  const collect = (): void => {
    isRequested = true;
    running ??= run()
      .catch(onError)
      .finally(() => {
        running = undefined;
        if (isRequested) collect();
      });
  };

  return {
    /** Called before a blob is written, so that it is removed later if the process crashes. */
    register: async (id: string): Promise<void> => {
      await pool.query(
        `insert into storage.unused_blobs (version, due_at) values ($1, now() + $2::interval)`,
        [id, UPLOAD_LIMIT],
      );
    },
    /** Removes a registered blob that is not used. */
    discard: async (id: string): Promise<void> => {
      await blobs.remove(id);
      await pool.query('delete from storage.unused_blobs where version = $1', [id]);
    },
    collect,
    /** Resolves when no run is in progress. */
    settled: async (): Promise<void> => {
      while (running !== undefined) await running;
    },
  };
}

/** At the start of the only writer no upload is in progress, so that all registered blobs are due. */
export async function expireRegistered(pool: Pool, blobs: BlobStore): Promise<void> {
  if (blobs.isExclusive) await pool.query('update storage.unused_blobs set due_at = now()');
}

const MAX_RESERVE = 512 * 1024 * 1024;
/** Fraction of a small disk. */
const RESERVED_FRACTION = 0.2;

export type DiskSpace = ReturnType<typeof openDiskSpace>;

/** Reserves disk space for the database: PostgreSQL stops when it can't write its WAL. */
export function openDiskSpace(context: Context) {
  const { config, settings } = context;
  /** Bytes that uploads in flight may still write. */
  let claimed = 0;
  return {
    /**
     * Claims space for a file that is about to be written.
     * @param bytes declared length; 0 if unknown
     * @returns a function that releases the claim
     * @throws StorageError InsufficientStorage when the reserve would be used
     */
    claim: async (bytes: number): Promise<() => void> => {
      const { free, total } = await context.diskSpace(config.dataDir);
      const reserve =
        settings.storage.min_free_space ?? Math.min(MAX_RESERVE, total * RESERVED_FRACTION);
      if (free - claimed - bytes < reserve) throw noSpace();
      claimed += bytes;
      let isHeld = true;
      return () => {
        if (isHeld) claimed -= bytes;
        isHeld = false;
      };
    },
  };
}
