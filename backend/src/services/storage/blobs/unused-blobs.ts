// Removes blobs that no object has any more. The database notes them in the transaction that lets go of them.
import type { Pool } from 'pg';
import type { BlobStore } from './blob-store.ts';

const BATCH = 200;
/** Longer than any upload takes. */
const UPLOAD_LIMIT = '1 day';

export interface UnusedBlobs {
  /** Before a blob is written: should the process end there, the blob is found and removed later. */
  announce(id: string): Promise<void>;
  /** Removes a blob that was announced and is not wanted. */
  discard(id: string): Promise<void>;
  /** Removes what is due, after the answer; calls that come meanwhile share the next round. */
  collect(): void;
  /** What an earlier process left, and then whatever is under way. Resolves when it is gone. */
  settle(): Promise<void>;
}

export function openUnusedBlobs(
  pool: Pool,
  blobs: BlobStore,
  onError: (error: unknown) => void,
): UnusedBlobs {
  let running: Promise<void> | undefined;
  let wanted = false;

  const sweep = async (): Promise<void> => {
    for (;;) {
      const { rows } = await pool.query<{ version: string }>(
        'select version from storage.unused_blobs where due_at <= now() order by due_at limit $1',
        [BATCH],
      );
      const versions = rows.map(({ version }) => version);
      // First the blob, then its note: cut off in between, it is done once more.
      for (const version of versions) await blobs.remove(version);
      await pool.query('delete from storage.unused_blobs where version = any ($1)', [versions]);
      if (versions.length < BATCH) return;
    }
  };

  const run = async (): Promise<void> => {
    while (wanted) {
      wanted = false;
      await sweep();
    }
  };

  const collect = (): void => {
    wanted = true;
    running ??= run()
      .catch(onError)
      .finally(() => {
        running = undefined;
        if (wanted) collect();
      });
  };

  return {
    announce: async (id) => {
      await pool.query(
        `insert into storage.unused_blobs (version, due_at) values ($1, now() + $2::interval)`,
        [id, UPLOAD_LIMIT],
      );
    },
    discard: async (id) => {
      await blobs.remove(id);
      await pool.query('delete from storage.unused_blobs where version = $1', [id]);
    },
    collect,
    settle: async () => {
      while (running !== undefined) await running;
    },
  };
}

/** At the start of the only process that writes, no upload is under way: whatever was announced was cut off. */
export async function expireAnnounced(pool: Pool, blobs: BlobStore): Promise<void> {
  if (blobs.isExclusive) await pool.query('update storage.unused_blobs set due_at = now()');
}
